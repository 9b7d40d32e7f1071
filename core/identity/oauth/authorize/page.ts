import { type Language, languages } from '../../../http/pages/language.ts'
import { escapeHtml } from '../../../lib/html.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { type AuthorizeMessages, authorizeMessages } from './messages.ts'
import { PASSKEY_SCRIPT_PATH } from './passkey-script.ts'

const NATIVE: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français', ar: 'العربية' }

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Naskh Arabic",sans-serif;background:#f4f5f7;color:#1d2433}
main{background:#fff;border-radius:16px;padding:28px 24px;width:100%;max-width:440px;box-shadow:0 2px 16px #0001;overflow-wrap:anywhere}
h1{font-size:23px;line-height:1.3;margin:0 0 8px}p{margin:0 0 12px}ul{margin:0 0 16px;padding-inline-start:22px}li{margin:4px 0}
label{display:block;margin:0 0 14px;font-weight:600}input,select{display:block;width:100%;margin-top:4px;padding:12px;font:inherit;border:1px solid #8a93a5;border-radius:10px;background:#fff;color:inherit}
button{display:block;width:100%;min-height:48px;margin:0 0 10px;font:inherit;font-weight:600;border-radius:10px;border:1px solid #1f5fd6;background:#1f5fd6;color:#fff;cursor:pointer}
button.no{background:#fff;color:#1d2433;border-color:#8a93a5}button.plain{display:inline;width:auto;min-height:0;margin:0;padding:0;border:0;background:none;color:#1a4fb4;text-decoration:underline;font-weight:400}
:focus-visible{outline:3px solid #f0a500;outline-offset:2px}.who{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline;color:#4a5468;font-size:15px;margin-bottom:14px}
.good{background:#e7f5ea;color:#0a5d26;border-radius:10px;padding:10px 12px}[hidden]{display:none}.wrong{background:#fdecea;color:#8c1d18;border-radius:10px;padding:10px 12px}.small{color:#4a5468;font-size:14px}bdi{font-weight:600}nav{margin-top:14px;font-size:14px;display:flex;gap:14px}nav a{color:#1a4fb4}`

/** Parts that all authorization pages share. */
export interface PageFrame {
  readonly language: Language
  /** Address of this request. Forms are submitted to it, and the language links change its `ui_locales`. */
  readonly address: URL
  readonly problem: 'wrong' | 'second' | 'slow' | 'old' | 'sent' | 'addressFirst' | 'passkeyFailed' | null
  /** E-mail address that the user has typed. */
  readonly email: string
}

/** Content of the consent page. */
export interface ConsentPageContent {
  readonly authorization: AuthorizationRequest
  readonly user: { readonly name: string; readonly email: string }
  readonly projects: readonly { readonly id: string; readonly name: string }[]
  readonly csrf: string
}

/**
 * Builds the Content-Security-Policy of a page. It leaves out `form-action`, because browsers also apply that to the redirect to the app
 * after consent.
 */
export const contentSecurityPolicy = (nonce: string | null): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'${nonce === null ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`}`

/** Sign-in methods that the page offers beside the password. */
export interface SignInOptions {
  readonly providers: readonly { readonly slug: string; readonly label: string }[]
  /** Nonce of the page's only script, which passkeys need. */
  readonly nonce: string
}

/** Builds the HTML of the sign-in page. */
export function signInPage(frame: PageFrame, { app }: AuthorizationRequest, csrf: string, offered: SignInOptions): string {
  const text = authorizeMessages[frame.language]
  return htmlDocument(
    frame,
    text.signInTitle,
    `<h1>${escapeHtml(text.signInTitle)}</h1><p>${withNames(text.signInFor, { app: app.name })}</p>${problemNote(frame, text)}
${form(
  frame,
  csrf,
  `<label>${escapeHtml(text.email)}<input type="email" name="email" dir="ltr" autocomplete="username webauthn" maxlength="254" value="${escapeHtml(frame.email)}" required${frame.email === '' ? ' autofocus' : ''}></label>
<label>${escapeHtml(text.password)}<input type="password" name="password" dir="ltr" autocomplete="current-password" maxlength="200" required></label>
<label>${escapeHtml(text.secondFactor)}<input type="text" name="secondFactor" dir="ltr" autocomplete="one-time-code" maxlength="40"></label>
<button name="action" value="sign-in">${escapeHtml(text.signIn)}</button><p><button class="plain" name="action" value="forgot" formnovalidate>${escapeHtml(text.forgot)}</button></p>`,
)}
${otherMethods(frame, csrf, offered)}
${form(frame, csrf, `<button class="no" name="action" value="deny">${escapeHtml(text.deny)}</button>`)}`,
  )
}

/** Builds the other sign-in methods: a form per provider, and a passkey button that the script shows when the browser supports it. */
function otherMethods(frame: PageFrame, csrf: string, { providers, nonce }: SignInOptions): string {
  const text = authorizeMessages[frame.language]
  const social = providers.map(({ slug, label }) =>
    form(
      frame,
      csrf,
      `<input type="hidden" name="provider" value="${escapeHtml(slug)}"><button class="no" name="action" value="social">${withNames(text.with, { provider: label })}</button>`,
    ),
  )
  const passkey = `<form id="passkey" hidden method="post" action="${actionOf(frame)}"><input type="hidden" name="csrf" value="${escapeHtml(csrf)}"><input type="hidden" name="action" value="passkey"><input type="hidden" name="passkey" value=""><button class="no">${escapeHtml(text.passkey)}</button></form>
<p id="passkey-problem" class="wrong" role="alert" hidden>${escapeHtml(text.passkeyFailed)}</p><script type="module" src="${PASSKEY_SCRIPT_PATH}" nonce="${nonce}"></script>`
  const separator = social.length > 0 ? `<p class="small">${escapeHtml(text.or)}</p>` : ''
  return [separator, ...social, passkey].join('\n')
}

/** Builds the HTML of the consent page. */
export function consentPage(frame: PageFrame, { authorization, user, projects, csrf }: ConsentPageContent): string {
  const text = authorizeMessages[frame.language]
  const { app, scopes, redirectTarget: back } = authorization
  const title = text.allowTitle.replace('{app}', () => app.name)
  return htmlDocument(
    frame,
    title,
    `<h1>${withNames(text.allowTitle, { app: app.name })}</h1>${problemNote(frame, text)}
${form(frame, csrf, `<div class="who"><span>${withNames(text.signedInAs, { name: `${user.name} (${user.email})` })}</span><button class="plain" name="action" value="switch">${escapeHtml(text.notYou)}</button></div>`)}
<p>${withNames(text.asks, { app: app.name })}</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(text.scopes[scope])}</li>`).join('')}</ul>
${form(
  frame,
  csrf,
  `${projectChoice(text, projects)}<button name="action" value="allow">${escapeHtml(text.allow)}</button>
<button class="no" name="action" value="deny">${escapeHtml(text.deny)}</button>`,
)}
${app.registration === null ? '' : `<p class="small" role="note">${escapeHtml(text.registeredItself)}${documentHost(app.documentUrl)}</p>`}<p class="small">${escapeHtml(text.goesTo)} <bdi dir="ltr">${escapeHtml(hostOf(back.redirectUri))}</bdi></p><p class="small">${escapeHtml(text.canEnd)}</p>`,
  )
}

/** Builds the HTML of the page for users who cannot be redirected to the app. `why` is the error in English. */
export function failurePage(frame: PageFrame, why: string): string {
  const text = authorizeMessages[frame.language]
  const body = `<h1>${escapeHtml(text.failedTitle)}</h1><p>${escapeHtml(text.failed)}</p><p class="small" dir="ltr" lang="en">${escapeHtml(why)}</p>`
  return htmlDocument(frame, text.failedTitle, body)
}

function htmlDocument({ language, address }: PageFrame, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>
${body}
<nav aria-label="${escapeHtml(authorizeMessages[language].language)}">${languages.map((other) => languageLink(other, language, address)).join('')}</nav>
</main></body></html>
`
}

function languageLink(other: Language, current: Language, address: URL): string {
  if (other === current) return `<span aria-current="true">${NATIVE[other]}</span>`
  const there = new URL(address)
  there.searchParams.set('ui_locales', other)
  return `<a href="${escapeHtml(there.pathname + there.search)}" lang="${other}" hreflang="${other}">${NATIVE[other]}</a>`
}

const actionOf = ({ address }: PageFrame) => escapeHtml(address.pathname + address.search)

const form = (frame: PageFrame, csrf: string, inside: string) =>
  `<form method="post" action="${actionOf(frame)}"><input type="hidden" name="csrf" value="${escapeHtml(csrf)}">${inside}</form>`

const problemNote = (frame: PageFrame, text: AuthorizeMessages) =>
  frame.problem === null
    ? ''
    : `<p class="${frame.problem === 'sent' ? 'good' : 'wrong'}" role="${frame.problem === 'sent' ? 'status' : 'alert'}">${escapeHtml(text[frame.problem])}</p>`

/** Fills names into a text. Each is isolated, because names may run in another direction than the text. */
const withNames = (template: string, names: Readonly<Record<string, string>>) =>
  escapeHtml(template).replace(/\{(\w+)\}/g, (_, name: string) => `<bdi>${escapeHtml(names[name] ?? '')}</bdi>`)

function projectChoice(text: AuthorizeMessages, projects: ConsentPageContent['projects']): string {
  if (projects.length === 0) return ''
  const options = projects.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`).join('')
  return `<label>${escapeHtml(text.project)}<select name="project">${options}</select></label>`
}

const documentHost = (url: string | null) => (url === null ? '' : ` <bdi dir="ltr">${escapeHtml(new URL(url).host)}</bdi>`)

const hostOf = (redirectUri: string) => {
  const url = new URL(redirectUri)
  return url.host || url.protocol
}
