// The page that shows a picture.

import { randomBytes } from 'node:crypto';

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/**
 * A page with a picture in SVG and a line above it. The picture is an image, in which no script ever runs, and the page
 * may load nothing.
 */
export function page(title: string, caption: string, svg: string): string {
  const nonce = randomBytes(16).toString('base64');
  const picture = Buffer.from(svg, 'utf8').toString('base64');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style nonce="${nonce}">
body { padding: 1rem; color: var(--vscode-editor-foreground); background: var(--vscode-editor-background); }
p { font-family: var(--vscode-editor-font-family); white-space: pre-wrap; }
img { max-width: none; border-radius: 4px; }
</style>
</head>
<body>
<p>${escaped(caption)}</p>
<img alt="${escaped(title)}" src="data:image/svg+xml;base64,${picture}">
</body>
</html>
`;
}
