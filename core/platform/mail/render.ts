import type { Language } from '../../http/pages/notice-page.ts'
import { escapeHtml } from '../../lib/html.ts'
import type { MailTemplate, MailTexts } from './template.ts'

/** Rendered mail. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

type Values = Readonly<Record<string, string>>

const VALUE_MAX = 500
const SUBJECT_MAX = 200
const TEXT_MAX = 20_000
/** Control characters, line breaks, and marks that change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Reduces a value to one line, so that it cannot start a line or a header of its own. */
const toSingleLine = (value: string, max = VALUE_MAX) =>
  value.toWellFormed().replace(INVISIBLE, ' ').replace(/ {2,}/g, ' ').trim().slice(0, max)

/**
 * Renders a mail. `service` is the name of the platform. Throws if a value is missing or the link is invalid, which is a bug of the caller.
 */
export function renderMail(template: MailTemplate, language: Language, given: Values, service: string): RenderedMail {
  const texts = template.texts[language]
  const missing = template.values.find((name) => typeof given[name] !== 'string')
  if (missing !== undefined) throw new Error(`A mail lacks its value "${missing}".`)
  const values: Values = Object.fromEntries([
    ...template.values.map((name) => [name, toSingleLine(given[name] as string)]),
    ['service', toSingleLine(service)],
  ])
  const content: Content = {
    texts,
    values,
    free: template.text === undefined ? [] : paragraphsOf(given[template.text] as string),
    ...(template.code !== undefined && { code: values[template.code] }),
    ...(template.link !== undefined && { link: linkOf(given[template.link] as string) }),
  }
  return { subject: toSingleLine(fillIn(texts.subject, values), SUBJECT_MAX), text: textOf(content), html: htmlOf(content, language) }
}

interface Content {
  readonly texts: MailTexts
  readonly values: Values
  /** Paragraphs of free text. */
  readonly free: readonly string[]
  readonly code?: string | undefined
  readonly link?: string
}

const PLACE = /\{(\w+)\}/g
const fillIn = (text: string, values: Values, as = (value: string) => value) =>
  text.replace(PLACE, (_, name: string) => as(values[name] ?? ''))

function linkOf(link: string): string {
  const url = URL.parse(link)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('The link of a mail is no address of the web.')
  return url.href
}

/** Splits free text into paragraphs and cleans each line. */
const paragraphsOf = (text: string) =>
  text
    .slice(0, TEXT_MAX)
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) =>
      paragraph
        .split(/\r?\n/)
        .map((line) => toSingleLine(line, TEXT_MAX))
        .join('\n'),
    )
    .filter((paragraph) => paragraph.trim() !== '')

function textOf({ texts: { paragraphs, button, after = [] }, values, free, code, link }: Content): string {
  const parts = [
    ...paragraphs.map((paragraph) => fillIn(paragraph, values)),
    ...free,
    ...(code === undefined ? [] : [code]),
    ...(link === undefined ? [] : [`${button ?? ''}:\n${link}`]),
    ...after.map((paragraph) => fillIn(paragraph, values)),
  ]
  return `${parts.join('\n\n')}\n`
}

const BODY = 'margin:0;padding:24px;background:#f4f5f7;color:#1d2433;font:16px/1.6 system-ui,-apple-system,Segoe UI,sans-serif'
const MAIN = 'max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:16px'
const BUTTON = 'display:inline-block;padding:12px 24px;border-radius:8px;background:#1d4ed8;color:#fff;text-decoration:none'
const CODE = 'font:600 28px/1.4 ui-monospace,monospace;letter-spacing:4px;text-align:center'
const SMALL = 'color:#5b6475;font-size:13px'

/** Renders the mail as HTML that loads nothing. Inserted values are isolated from the text direction around them. */
function htmlOf({ texts: { subject, paragraphs, button, after = [] }, values, free, code, link }: Content, language: Language): string {
  const inside = (text: string) => fillIn(escapeHtml(text), values, (value) => `<bdi>${escapeHtml(value)}</bdi>`)
  const address = link === undefined ? '' : escapeHtml(link)
  const parts = [
    ...paragraphs.map((paragraph) => `<p>${inside(paragraph)}</p>`),
    ...free.map((paragraph) => `<p dir="auto">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`),
    ...(code === undefined ? [] : [`<p dir="ltr" style="${CODE}">${escapeHtml(code)}</p>`]),
    ...(link === undefined
      ? []
      : [
          `<p><a href="${address}" style="${BUTTON}">${escapeHtml(button ?? '')}</a></p>`,
          `<p dir="ltr" style="${SMALL};word-break:break-all">${address}</p>`,
        ]),
    ...after.map((paragraph) => `<p style="${SMALL}">${inside(paragraph)}</p>`),
  ]
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(fillIn(subject, values))}</title></head>
<body style="${BODY}">
<div style="${MAIN}">
${parts.join('\n')}
</div>
</body>
</html>
`
}
