import assert from 'node:assert/strict';
import { test } from 'node:test';

import { page } from '../src/page';

test('what is shown is escaped, and the picture is an image', () => {
  const html = page('<b>"title"', '</p><script>alert(1)</script>', '<svg onload="alert(2)"><script/></svg>');
  assert.doesNotMatch(html, /<script|onload|<b>/);
  assert.match(html, /&lt;script&gt;alert\(1\)/);
  assert.match(html, /src="data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+"/);
});

test('the page may load nothing but the picture in it', () => {
  const html = page('title', 'caption', '<svg/>');
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  const nonce = /<style nonce="([^"]+)"/.exec(html)?.[1];
  assert.equal(policy, `default-src 'none'; img-src data:; style-src 'nonce-${nonce ?? ''}'`);
  assert.notEqual(nonce, /<style nonce="([^"]+)"/.exec(page('title', 'caption', '<svg/>'))?.[1]);
});
