import { ApiError } from '../../../http/errors/errors.ts'
import { type FormPage, formResponse } from '../../../http/pages/form-page.ts'
import { languageOf } from '../../../http/pages/language.ts'
import { type Language, type Notice, noticeResponse } from '../../../http/pages/notice-page.ts'
import type { Provider } from '../sign-in.ts'
import type { Purpose } from '../social.queries.ts'
import { type Visitor, visitorCookie } from './browser.ts'
import { filled, words } from './messages.ts'

/** Who looks at a page, and what it is about. */
export interface View {
  readonly provider: Provider
  readonly purpose: Purpose
  readonly visitor: Visitor
  readonly isSecure: boolean
  readonly language: Language
}

const titleOf = ({ provider, language }: View) => filled(words[language].title, { provider: provider.label })

type Asking = Pick<FormPage, 'said' | 'fields' | 'buttons' | 'problem'>

/** A page on which the person says what is missing. Its form carries a ticket, which counts for this browser alone. */
export function formPage(view: View, ticket: string, page: Asking, carried: Readonly<Record<string, string>> = {}): Response {
  const { provider, purpose, language, visitor, isSecure } = view
  const action = `/v1/social/${provider.slug}/${purpose === 'link' ? 'link/callback' : 'callback'}`
  const response = formResponse({ language, title: titleOf(view), action, hidden: { ticket, ui_locales: language, ...carried }, ...page })
  response.headers.append('set-cookie', visitorCookie(visitor, isSecure))
  return response
}

/** A page that says how it went. */
export function resultPage(view: View, said: string, cookies: readonly string[] = []): Response {
  const named = filled(said, { provider: view.provider.label })
  const response = noticeResponse({ language: view.language, title: titleOf(view), tone: 'good', said: named })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** A page that says why it went no further. */
export function failurePage(view: View, { code, status, message }: ApiError): Response {
  const { over, denied, failed } = words[view.language]
  if (code === 'invalid_code') return told({ language: view.language, title: titleOf(view), tone: 'bad', said: over }, status)
  const said = code === 'forbidden' ? denied : failed
  return told({ language: view.language, title: titleOf(view), tone: 'bad', said, small: [message] }, status)
}

/** The same where nothing could be begun. Anything else than a refusal is thrown on. */
export function refusalPage(request: Request, error: unknown): Response {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { message, status, extra } = error
  const language = languageOf(null, request.headers.get('accept-language'))
  const { failed: title, off: said } = words[language]
  const small = [message, ...(extra.details ?? []).map((detail) => detail.message)]
  return told({ language, title, tone: 'bad', said, small }, status)
}

function told(notice: Notice, status: number): Response {
  const { body, headers } = noticeResponse(notice)
  return new Response(body, { status, headers })
}
