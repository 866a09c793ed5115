// The settings of the extension.

import * as vscode from 'vscode';

import type { Limits } from './commandline';

/** The program. */
export function program(): string {
  const path = vscode.workspace.getConfiguration('map').get<string>('path')?.trim();
  return path === undefined || path === '' ? 'map' : path;
}

/** How long and how large a verification of a text may become. */
export function limits(uri?: vscode.Uri): Limits {
  const settings = vscode.workspace.getConfiguration('map.verification', uri);
  return {
    time: settings.get('time', '60s'),
    memory: settings.get('memory', '1GiB'),
    states: settings.get<number | null>('states', null),
    threads: settings.get<number | null>('threads', null),
  };
}
