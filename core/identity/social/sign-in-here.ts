import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { goOn } from '../../http/pages/notice-page.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import { sessionCookie } from '../oauth/authorize/browser.ts'
import { filled, words } from './pages/messages.ts'
import { formPage, resultPage, type View } from './pages/pages.ts'
import type { TicketRow } from './social.queries.ts'
import { enterByTicket } from './tickets.ts'

interface Here extends View {
  readonly said: ReadonlyMap<string, string>
  readonly from: Origin
}

/** Signs this browser in to the pages of this server. What is missing is asked for, and the ticket waits. */
export async function signInHere(context: Context, here: Here, ticket: string, opened: TicketRow): Promise<Response> {
  const { provider, said, isSecure, language, from } = here
  const [secondFactor, email] = [said.get('secondFactor')?.slice(0, 40), emailIn(said)]
  try {
    const { token } = await enterByTicket(context, provider, opened, { secondFactor, email, origin: from })
    const cookie = sessionCookie(token, isSecure)
    if (opened.goOnTo === null) return resultPage(here, words[language].signedIn, [cookie])
    const onward = goOn(opened.goOnTo)
    onward.headers.append('set-cookie', cookie)
    return onward
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'email_required') return askForEmail(here, ticket)
    const isWrong = error.code === 'invalid_code' && secondFactor !== undefined
    if (isWrong || error.code === 'second_factor_required') return askForSecondFactor(here, ticket, email, isWrong)
    throw error
  }
}

const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0.]+(\.[^@\s\0.]+)+$/
const EMAIL_MAX = 254

function emailIn(said: ReadonlyMap<string, string>): string | undefined {
  const email = said.get('email')?.trim()
  return email !== undefined && email.length <= EMAIL_MAX && EMAIL.test(email) ? email : undefined
}

function askForEmail(here: Here, ticket: string): Response {
  const say = words[here.language]
  const field = { name: 'email', label: say.email, type: 'text', autocomplete: 'email', maxLength: EMAIL_MAX } as const
  const said = filled(say.emailSaid, { provider: here.provider.label })
  return formPage(here, ticket, { said, fields: [field], buttons: [{ name: 'action', value: 'go-on', label: say.goOn }] })
}

/** The address that was said before is carried along. */
function askForSecondFactor(here: Here, ticket: string, email: string | undefined, isWrong: boolean): Response {
  const say = words[here.language]
  const field = { name: 'secondFactor', label: say.second, type: 'text', autocomplete: 'one-time-code', maxLength: 40 } as const
  const page = { said: say.secondSaid, fields: [field], buttons: [{ name: 'action', value: 'go-on', label: say.goOn }] }
  return formPage(here, ticket, { ...page, ...(isWrong && { problem: say.wrongSecond }) }, email === undefined ? {} : { email })
}
