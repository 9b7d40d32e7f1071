import { newToken } from '../../lib/crypto/crypto.ts'
import { escapeHtml } from '../../lib/html.ts'
import { REFRESH_PATH } from './refresh-script.ts'

/** Language of a notice page. */
export type Language = 'ar' | 'fr' | 'en'

/** Page that reports a result to a person who returns from another site. All texts are escaped. */
export interface NoticePage {
  readonly language: Language
  readonly title: string
  readonly tone: 'good' | 'waiting' | 'bad'
  readonly text: string
  /** Names and values below the text, in smaller print. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly notes?: readonly string[]
  /** E-mail address of the account with which the person goes on to the console. Without it, the page ends here. */
  readonly goesOnAs?: string | undefined
  /** Seconds after which a script reloads the page. Without a script, the page shows a link. */
  readonly refreshSeconds?: number
}

const MARKS: Readonly<Record<NoticePage['tone'], string>> = { good: '✓', waiting: '…', bad: '✕' }

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;font:18px/1.6 system-ui,sans-serif;background:#f4f5f7;color:#1d2433}
main{background:#fff;border-radius:16px;padding:32px;max-width:420px;margin:16px;text-align:center;box-shadow:0 2px 16px #0001}h1{font-size:20px}
.mark{font-size:56px;line-height:1.2}.good{color:#0a7d33}.waiting{color:#8a6100}.bad{color:#b3261e}dl{margin:16px 0 0}dt,small{color:#5b6475;font-size:14px}dd{margin:0 0 8px}small{display:block}.again{display:inline-block;margin-top:12px;padding:10px 18px;border-radius:10px;border:1px solid #8a93a5;color:#1d2433;text-decoration:none}`

/** Headers of the page. It loads nothing and submits nothing. The URL may contain a code and is not sent as a referrer. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** Builds a page that is readable on a phone and needs no script. */
export function noticeResponse(notice: NoticePage, status = 200): Response {
  if (notice.refreshSeconds === undefined) return new Response(pageOf(notice), { status, headers: HEADERS })
  const nonce = newToken('n')
  const policy = `${HEADERS['content-security-policy']}; script-src 'nonce-${nonce}'`
  return new Response(pageOf(notice, nonce), { status, headers: { ...HEADERS, 'content-security-policy': policy } })
}

const REFRESH: Readonly<Record<Language, string>> = { en: 'Refresh', fr: 'Actualiser', ar: 'تحديث' }

const CONSOLE: Readonly<Record<Language, string>> = { en: 'Go to Serai', fr: 'Aller à Serai', ar: 'الذهاب إلى Serai' }

/** Builds the link to the sign-in of the console, with the address of the account filled in. */
const consoleLink = ({ language, goesOnAs = '' }: NoticePage) =>
  `<p><a class="again" href="${escapeHtml(`/console/sign-in#email=${encodeURIComponent(goesOnAs)}`)}">${CONSOLE[language]}</a></p>`

/** Builds the reload link and script. An empty address stands for the page itself. */
const refreshLink = ({ language, refreshSeconds }: NoticePage, nonce: string) =>
  `<p><a class="again" href="">${REFRESH[language]}</a></p><script src="${REFRESH_PATH}" data-seconds="${refreshSeconds}" nonce="${nonce}" defer></script>`

/** Redirects to another page, without sending this URL as a referrer. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })

function pageOf(notice: NoticePage, nonce?: string): string {
  const { language, title, tone, text: said, facts = [], notes: small = [] } = notice
  const named = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`)
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
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
${nonce === undefined ? '' : refreshLink(notice, nonce)}
${notice.goesOnAs === undefined ? '' : consoleLink(notice)}
</main>
</body>
</html>
`
}
