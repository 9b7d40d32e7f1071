import { escapeHtml } from '../../lib/html.ts'
import type { Language } from './notice-page.ts'

/** Page with a form, opened from a link. All texts are escaped. */
export interface FormPage {
  readonly language: Language
  readonly title: string
  readonly text: string
  /** Error message for the submitted values. */
  readonly problem?: string | undefined
  /** Path that the form is posted to, and its hidden fields. */
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields?: readonly Field[]
  /** File to upload. The form is then sent as multipart. */
  readonly file?: { readonly name: string; readonly label: string; readonly accept: string }
  /** Names and values that are shown above the form. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly buttons: readonly Button[]
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'password' | 'text'
  readonly autocomplete: string
  readonly minLength?: number
  readonly maxLength: number
}

interface Button {
  /** Field that the button sends; none by default. */
  readonly name?: string
  readonly value?: string
  readonly label: string
  readonly isPlain?: boolean
  /** Submits the form without requiring its fields. */
  readonly canSkipFields?: boolean
}

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;font:17px/1.55 system-ui,sans-serif;background:#f4f5f7;color:#1d2433}
main{background:#fff;border-radius:16px;padding:28px 24px;width:100%;max-width:440px;box-shadow:0 2px 16px #0001}dt{color:#5b6475;font-size:14px}dd{margin:0 0 10px;font-weight:600;overflow-wrap:anywhere}h1{font-size:23px;line-height:1.3;margin:0 0 8px;overflow-wrap:anywhere}p{margin:0 0 14px;overflow-wrap:anywhere}
label{display:block;margin:0 0 14px;font-weight:600}input{display:block;width:100%;margin-top:4px;padding:12px;font:inherit;border:1px solid #8a93a5;border-radius:10px}
button{display:block;width:100%;min-height:48px;margin:0 0 10px;font:inherit;font-weight:600;border-radius:10px;border:1px solid #1f5fd6;background:#1f5fd6;color:#fff;cursor:pointer}
button.plain{background:#fff;color:#1d2433;border-color:#8a93a5}:focus-visible{outline:3px solid #f0a500;outline-offset:2px}.wrong{background:#fdecea;color:#8c1d18;border-radius:10px;padding:10px 12px}`

/** Headers of the page. It may submit its form to this server only. The URL contains a token and is not sent as a referrer. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
}

/**
 * Builds a page that is readable on a phone and needs no script. A token in the form authorizes it. Only the reader of the mail knows the
 * token, so other sites cannot submit the form.
 */
export const formResponse = (page: FormPage): Response => new Response(pageOf(page), { headers: HEADERS })

function pageOf({ language, title, text: said, problem, action, hidden, fields = [], file, facts = [], buttons }: FormPage): string {
  const carried = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p>${escapeHtml(said)}</p>
${problem === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(problem)}</p>`}
${facts.length > 0 ? `<dl>${facts.map(factOf).join('')}</dl>` : ''}
<form method="post" action="${escapeHtml(action)}"${file ? ' enctype="multipart/form-data"' : ''}>${carried.join('')}
${fields.map(fieldOf).join('\n')}
${file ? fileFieldOf(file) : ''}
${buttons.map(buttonOf).join('\n')}
</form>
</main></body></html>
`
}

const fieldOf = ({ name, label, type, autocomplete, minLength, maxLength }: Field) =>
  `<label>${escapeHtml(label)}<input type="${type}" name="${name}" dir="ltr" autocomplete="${autocomplete}"${minLength === undefined ? '' : ` minlength="${minLength}"`} maxlength="${maxLength}" required></label>`

const factOf = ([name, value]: readonly [string, string]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`

const fileFieldOf = ({ name, label, accept }: NonNullable<FormPage['file']>) =>
  `<label>${escapeHtml(label)}<input type="file" name="${name}" accept="${accept}" required></label>`

const buttonOf = ({ name, value, label, isPlain = false, canSkipFields: skipsFields = false }: Button) =>
  `<button${isPlain ? ' class="plain"' : ''}${skipsFields ? ' formnovalidate' : ''}${name === undefined ? '' : ` name="${name}" value="${value ?? ''}"`}>${escapeHtml(label)}</button>`
