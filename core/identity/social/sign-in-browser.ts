import type { Context } from '../../context.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { sessionCookie } from '../auth/sign-in/browser-cookies.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { fillPlaceholders, socialMessages } from './pages/messages.ts'
import { formPage, resultPage, type SocialPageView } from './pages/pages.ts'
import type { TicketRow } from './social.queries.ts'
import { signInByTicket } from './tickets.ts'

interface BrowserVisit extends SocialPageView {
  readonly fields: ReadonlyMap<string, string>
  readonly from: ClientOrigin
}

/**
 * Signs a browser in to this server with a ticket. Shows a form when the e-mail address or the second factor is missing; the ticket stays
 * valid.
 */
export async function signInBrowser(context: Context, visit: BrowserVisit, ticket: string, opened: TicketRow): Promise<Response> {
  const { provider, fields, isSecure, language, from } = visit
  const [secondFactor, email] = [fields.get('secondFactor')?.slice(0, 40), emailIn(fields)]
  try {
    const { token } = await signInByTicket(context, provider, opened, { secondFactor, email, origin: from })
    const cookie = sessionCookie(token, { isSecure })
    if (opened.goOnTo === null) return resultPage(visit, socialMessages[language].signedIn, [cookie])
    const onward = redirectTo(opened.goOnTo)
    onward.headers.append('set-cookie', cookie)
    return onward
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'email_required') return emailForm(visit, ticket)
    const isWrong = error.code === 'invalid_code' && secondFactor !== undefined
    if (isWrong || error.code === 'second_factor_required') return secondFactorForm(visit, ticket, email, { isWrong })
    throw error
  }
}

const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0.]+(\.[^@\s\0.]+)+$/
const EMAIL_MAX = 254

function emailIn(fields: ReadonlyMap<string, string>): string | undefined {
  const email = fields.get('email')?.trim()
  return email !== undefined && email.length <= EMAIL_MAX && EMAIL.test(email) ? email : undefined
}

function emailForm(visit: BrowserVisit, ticket: string): Response {
  const text = socialMessages[visit.language]
  const field = { name: 'email', label: text.email, type: 'text', autocomplete: 'email', maxLength: EMAIL_MAX } as const
  const emailText = fillPlaceholders(text.emailSaid, { provider: visit.provider.label })
  return formPage(visit, ticket, { text: emailText, fields: [field], buttons: [{ name: 'action', value: 'go-on', label: text.goOn }] })
}

/** Builds the form for the second factor. It carries along the e-mail address that was entered before. */
function secondFactorForm(
  visit: BrowserVisit,
  ticket: string,
  email: string | undefined,
  { isWrong }: { readonly isWrong: boolean },
): Response {
  const text = socialMessages[visit.language]
  const field = { name: 'secondFactor', label: text.second, type: 'text', autocomplete: 'one-time-code', maxLength: 40 } as const
  const page = { text: text.secondSaid, fields: [field], buttons: [{ name: 'action', value: 'go-on', label: text.goOn }] }
  return formPage(visit, ticket, { ...page, ...(isWrong && { problem: text.wrongSecond }) }, email === undefined ? {} : { email })
}
