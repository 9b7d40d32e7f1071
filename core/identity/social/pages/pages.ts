import { statusOf } from '../../../http/errors/statuses.ts'
import { type FormPage, formResponse } from '../../../http/pages/form-page.ts'
import { languageOf } from '../../../http/pages/language.ts'
import { type Language, type NoticePage, noticeResponse } from '../../../http/pages/notice-page.ts'
import { type DomainError, isRefusal } from '../../../lib/errors/domain-error.ts'
import type { ProviderName } from '../sign-in.ts'
import type { SocialPurpose } from '../social.queries.ts'
import { type BrowserCookie, browserCookieHeader } from './browser.ts'
import { fillPlaceholders, socialMessages } from './messages.ts'

/** Browser and provider for which a page is built. */
export interface SocialPageView {
  readonly provider: ProviderName
  readonly purpose: SocialPurpose
  readonly visitor: BrowserCookie
  readonly isSecure: boolean
  readonly language: Language
}

const titleOf = ({ provider, language }: SocialPageView) => fillPlaceholders(socialMessages[language].title, { provider: provider.label })

type FormContent = Pick<FormPage, 'text' | 'fields' | 'buttons' | 'problem'>

/** Builds a page that asks for a missing value. Its form carries the ticket, which works only in this browser. */
export function formPage(
  view: SocialPageView,
  ticket: string,
  page: FormContent,
  carried: Readonly<Record<string, string>> = {},
): Response {
  const { provider, purpose, language, visitor, isSecure } = view
  const action = `/v1/social/${provider.slug}/${purpose === 'link' ? 'link/callback' : 'callback'}`
  const response = formResponse({ language, title: titleOf(view), action, hidden: { ticket, ui_locales: language, ...carried }, ...page })
  response.headers.append('set-cookie', browserCookieHeader(visitor, { isSecure }))
  return response
}

/** Builds a page that shows success. */
export function resultPage(view: SocialPageView, message: string, cookies: readonly string[] = []): Response {
  const named = fillPlaceholders(message, { provider: view.provider.label })
  const response = noticeResponse({ language: view.language, title: titleOf(view), tone: 'good', text: named })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Builds a page that explains why the sign-in or link failed. */
export function failurePage(view: SocialPageView, error: DomainError): Response {
  const { code, message } = error
  const status = statusOf(error)
  const { over, denied, failed } = socialMessages[view.language]
  if (code === 'invalid_code') return noticeWithStatus({ language: view.language, title: titleOf(view), tone: 'bad', text: over }, status)
  const reason = code === 'forbidden' ? denied : failed
  return noticeWithStatus({ language: view.language, title: titleOf(view), tone: 'bad', text: reason, notes: [message] }, status)
}

/** Builds a page for a sign-in that could not be started. Throws every error that is not a refusal. */
export function refusalPage(request: Request, error: unknown): Response {
  if (!isRefusal(error)) throw error
  const language = languageOf(null, request.headers.get('accept-language'))
  const { failed: title, off: text } = socialMessages[language]
  const small = [...new Set([error.message, ...error.issues.map(({ message }) => message)])]
  return noticeWithStatus({ language, title, tone: 'bad', text, notes: small }, statusOf(error))
}

function noticeWithStatus(notice: NoticePage, status: number): Response {
  const { body, headers } = noticeResponse(notice)
  return new Response(body, { status, headers })
}
