import { ASSETS_PATH, type ConsoleBundle } from './bundle.ts'

/** Content security policy of the console: its own files only, no inline script or style, and no text that becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Headers of the page. It is asked for anew each time, so that an upgrade reaches everybody. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/** Writes the page of the console. Every path of the console answers with it; its script shows the rest. */
export const pageOf = ({ script, styles }: Pick<ConsoleBundle, 'script' | 'styles'>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Serai</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS_PATH}${styles}">
<script type="module" src="${ASSETS_PATH}${script}"></script>
</head>
<body><div id="app"></div><noscript>Serai needs JavaScript.</noscript></body>
</html>
`

/** Icon of the console. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a1d29"/><path d="M20.6 11.2c-.9-1.2-2.5-1.9-4.6-1.9-2.9 0-5 1.5-5 3.7 0 5 8.2 2.2 8.2 5.2 0 1.2-1.3 2-3.2 2-1.9 0-3.3-.8-4-2.2" fill="none" stroke="#fff" stroke-width="2.8" stroke-linecap="round"/></svg>`
