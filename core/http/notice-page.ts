import { escapeHtml } from '../lib/html.ts'

export type Language = 'ar' | 'fr' | 'en'

/** A page that tells somebody who came back from elsewhere how it went. All texts are escaped here. */
export interface Notice {
  readonly language: Language
  readonly title: string
  readonly tone: 'good' | 'waiting' | 'bad'
  readonly said: string
  /** Beside it, smaller: a name and what it is, or a text alone. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly small?: readonly string[]
  /** It is loaded anew by itself. */
  readonly refreshSeconds?: number
}

const MARKS: Readonly<Record<Notice['tone'], string>> = { good: '✓', waiting: '…', bad: '✕' }

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;font:18px/1.6 system-ui,sans-serif;background:#f4f5f7;color:#1d2433}
main{background:#fff;border-radius:16px;padding:32px;max-width:420px;margin:16px;text-align:center;box-shadow:0 2px 16px #0001}h1{font-size:20px}
.mark{font-size:56px;line-height:1.2}.good{color:#0a7d33}.waiting{color:#8a6100}.bad{color:#b3261e}dl{margin:16px 0 0}dt,small{color:#5b6475;font-size:14px}dd{margin:0 0 8px}small{display:block}`

/** It does nothing but be looked at, and nothing of its address, which may hold a code, goes further. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** Readable on a phone, in three languages, without a script. */
export const noticeResponse = (notice: Notice, status = 200): Response => new Response(pageOf(notice), { status, headers: HEADERS })

/** On to another page; nothing of our address goes with it. */
export const goOn = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })

function pageOf({ language, title, tone, said, facts = [], small = [], refreshSeconds }: Notice): string {
  const named = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`)
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="mark ${tone}" aria-hidden="true">${MARKS[tone]}</div>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p role="status">${escapeHtml(said)}</p>
${small.map((words) => `<small dir="auto">${escapeHtml(words)}</small>`).join('\n')}
${named.length > 0 ? `<dl>${named.join('')}</dl>` : ''}
</main>
</body>
</html>
`
}
