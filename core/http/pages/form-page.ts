import { escapeHtml } from '../../lib/html.ts'
import type { Language } from './notice-page.ts'

/** A page on which somebody who came by a link decides. All texts are escaped here. */
export interface FormPage {
  readonly language: Language
  readonly title: string
  readonly said: string
  /** What was wrong with what was sent. */
  readonly problem?: string | undefined
  /** Where the form goes, with what it carries unseen. */
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields?: readonly Field[]
  /** A file is asked for: the form is sent as one with files. */
  readonly file?: { readonly name: string; readonly label: string; readonly accept: string }
  /** What is told above the form: a name and what it is. */
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
  /** What is sent where it is pressed; nothing unless said. */
  readonly name?: string
  readonly value?: string
  readonly label: string
  readonly isPlain?: boolean
  /** It may be pressed with fields left empty. */
  readonly skipsFields?: boolean
}

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;font:17px/1.55 system-ui,sans-serif;background:#f4f5f7;color:#1d2433}
main{background:#fff;border-radius:16px;padding:28px 24px;width:100%;max-width:440px;box-shadow:0 2px 16px #0001}dt{color:#5b6475;font-size:14px}dd{margin:0 0 10px;font-weight:600;overflow-wrap:anywhere}h1{font-size:23px;line-height:1.3;margin:0 0 8px;overflow-wrap:anywhere}p{margin:0 0 14px;overflow-wrap:anywhere}
label{display:block;margin:0 0 14px;font-weight:600}input{display:block;width:100%;margin-top:4px;padding:12px;font:inherit;border:1px solid #8a93a5;border-radius:10px}
button{display:block;width:100%;min-height:48px;margin:0 0 10px;font:inherit;font-weight:600;border-radius:10px;border:1px solid #1f5fd6;background:#1f5fd6;color:#fff;cursor:pointer}
button.plain{background:#fff;color:#1d2433;border-color:#8a93a5}:focus-visible{outline:3px solid #f0a500;outline-offset:2px}.wrong{background:#fdecea;color:#8c1d18;border-radius:10px;padding:10px 12px}`

/** It is looked at and sends its form to us alone; nothing of its address, which holds a token, goes further. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
}

/**
 * Readable on a phone, without a script. What the form does is allowed by a token that it carries, which only the reader of a mail knows: no
 * page of others can send it in his name.
 */
export const formResponse = (page: FormPage): Response => new Response(pageOf(page), { headers: HEADERS })

function pageOf({ language, title, said, problem, action, hidden, fields = [], file, facts = [], buttons }: FormPage): string {
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

const buttonOf = ({ name, value, label, isPlain = false, skipsFields = false }: Button) =>
  `<button${isPlain ? ' class="plain"' : ''}${skipsFields ? ' formnovalidate' : ''}${name === undefined ? '' : ` name="${name}" value="${value ?? ''}"`}>${escapeHtml(label)}</button>`
