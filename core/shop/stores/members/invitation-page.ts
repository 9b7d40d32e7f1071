import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { setTenant } from '../../../data/tenant-context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { formResponse } from '../../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import { findUserByEmail } from '../../../identity/auth/auth.queries.ts'
import { createInvited } from '../../../identity/auth/users/users.ts'
import { askForCode } from '../../../identity/codes/ask.ts'
import { languageFor, readFields } from '../../../identity/codes/pages.ts'
import { words } from './invitation-messages.ts'
import { findOwn } from './invitations.queries.ts'
import { accept, decline, readerOf } from './invitations.ts'
import type { ReceivedInvitation } from './members.model.ts'

/** Which invitation a link is of. */
export interface Invited {
  readonly storeId: string
  readonly inviteId: string
}

const [FULL, OVER] = [
  ['limit_reached', 'plan_limit_reached'],
  ['conflict', 'not_found'],
]

export const pageAddress = ({ storeId, inviteId }: Invited) => `/v1/stores/${storeId}/invites/${inviteId}/page`

/** Where the mail leads: whoever only looks at it, such as a scanner of mails, has answered nothing. */
export async function invitationPage(context: Context, request: Request, of: Invited): Promise<Response> {
  const language = languageFor(request)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const found = await findLinked(context, of, token)
  const say = words[language]
  if (found?.status !== 'open') return isOver(language)
  if (!(await findUserByEmail(context.sql, found.email))) return signUpForm(context, language, found, token)
  return formResponse({
    language,
    title: fill(say.title, { store: found.storeName }),
    said: fill(`${say.invited} ${say.joins}`, { ...namesOf(found), role: say.roles[found.role] }),
    action: pageAddress(of),
    hidden: { token, ui_locales: language },
    buttons: [
      { name: 'action', value: 'accept', label: say.accept },
      { name: 'action', value: 'decline', label: say.decline, isPlain: true },
    ],
  })
}

/** What that page sent: the token in it proves that it comes from who reads the mail. */
export async function invitationAnswered(context: Context, request: Request, of: Invited): Promise<Response> {
  const form = await readFields(request)
  const language = languageFor(request, form.get('ui_locales') ?? null)
  const token = form.get('token') ?? ''
  const found = await findLinked(context, of, token)
  if (found?.status !== 'open') return isOver(language)
  try {
    if (form.get('action') === 'sign-up') return await signedUp(context, language, found, token, form)
    return await answered(context, language, found, token, form.get('action') === 'accept')
  } catch (error) {
    const code = error instanceof ApiError ? error.code : ''
    if (FULL.includes(code)) return tell(language, found, 'full', 'waiting')
    if (OVER.includes(code)) return isOver(language)
    throw error
  }
}

async function answered(context: Context, language: Language, found: ReceivedInvitation, token: string, isAccepted: boolean) {
  const { storeId, id, email } = found
  const reader = readerOf(null, token)
  if (!isAccepted) {
    await decline(context, storeId, id, reader)
    return tell(language, found, 'declined', 'good')
  }
  const user = await findUserByEmail(context.sql, email)
  if (!user) return signUpForm(context, language, found, token)
  // Until an address is confirmed its account may be of somebody who only typed it.
  if (!user.emailVerified) return confirmFirst(context, language, found)
  return join(context, language, found, token, user)
}

/** The person with this account is a member from now on. */
async function join(
  context: Context,
  language: Language,
  found: ReceivedInvitation,
  token: string,
  user: { id: string; isAdmin: boolean },
) {
  const { storeId, id } = found
  setTenant(user.id, { kind: 'person', id: user.id, appId: null, adminId: null })
  await accept(context, storeId, id, { id: user.id, isAdmin: user.isAdmin }, readerOf(null, token))
  return tell(language, found, 'accepted', 'good')
}

/** Somebody without an account makes one here: the token of the mail shows that they read the address. */
function signUpForm(context: Context, language: Language, found: ReceivedInvitation, token: string, problem?: string): Response {
  const say = words[language]
  if (!context.config.openSignup) return tell(language, found, 'closed', 'waiting')
  return formResponse({
    language,
    title: fill(say.title, { store: found.storeName }),
    said: fill(`${say.invited} ${say.newHere}`, { ...namesOf(found), role: say.roles[found.role] }),
    ...(problem !== undefined && { problem }),
    action: pageAddress({ storeId: found.storeId, inviteId: found.id }),
    hidden: { token, ui_locales: language },
    fields: [
      { name: 'name', label: say.name, type: 'text', autocomplete: 'name', maxLength: NAME_MAX },
      {
        name: 'password',
        label: say.password,
        type: 'password',
        autocomplete: 'new-password',
        minLength: PASSWORD.min,
        maxLength: PASSWORD.max,
      },
    ],
    buttons: [
      { name: 'action', value: 'sign-up', label: say.signUp },
      { name: 'action', value: 'decline', label: say.decline, isPlain: true, skipsFields: true },
    ],
  })
}

const PASSWORD = { min: 8, max: 200 }
const NAME_MAX = 80

async function signedUp(
  context: Context,
  language: Language,
  found: ReceivedInvitation,
  token: string,
  form: ReadonlyMap<string, string>,
): Promise<Response> {
  const say = words[language]
  if (!context.config.openSignup) return tell(language, found, 'closed', 'waiting')
  const [name, password] = [(form.get('name') ?? '').trim(), form.get('password') ?? '']
  if (name === '' || name.length > NAME_MAX || password.length < PASSWORD.min || password.length > PASSWORD.max)
    return signUpForm(context, language, found, token, say.tooShort)
  try {
    const user = await createInvited(context, { name, email: found.email, password })
    return await join(context, language, found, token, user)
  } catch (error) {
    const code = error instanceof ApiError ? error.code : ''
    if (code === 'password_too_common') return signUpForm(context, language, found, token, say.tooCommon)
    // Somebody has made the account at this moment: the page is looked at anew.
    if (code === 'email_taken') return answered(context, language, found, token, true)
    throw error
  }
}

/** Mails the link once more that confirms the address, unless it was asked for often. */
async function confirmFirst(context: Context, language: Language, found: ReceivedInvitation): Promise<Response> {
  const asked = { purpose: 'verify_email' as const, email: found.email, language }
  const waitMs = await context.shared.backoff.take(`invited:${found.id}`, AGAIN)
  if (waitMs === 0) await transaction(context.sql, (tx) => askForCode(tx, asked))
  return tell(language, found, 'confirmFirst', 'waiting')
}

const AGAIN = { free: 3, firstMs: 60_000, maxMs: 600_000, forgetMs: 3_600_000 }

const findLinked = ({ sql }: Context, { storeId, inviteId }: Invited, token: string) =>
  findOwn(sql, storeId, inviteId, readerOf(null, token))

function tell(
  language: Language,
  found: ReceivedInvitation,
  what: 'accepted' | 'declined' | 'closed' | 'confirmFirst' | 'full',
  tone: 'good' | 'waiting',
) {
  const say = words[language]
  return noticeResponse({ language, title: fill(say.title, namesOf(found)), tone, said: fill(say[what], namesOf(found)) })
}

function isOver(language: Language): Response {
  const say = words[language]
  return noticeResponse({ language, title: say.overTitle, tone: 'bad', said: say.over })
}

const namesOf = ({ storeName, inviterName, email }: ReceivedInvitation) => ({
  store: storeName,
  inviter: inviterName ?? storeName,
  email,
})

/** Names are other people's words, in whatever direction those run. */
const fill = (text: string, names: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => `\u2068${names[name] ?? ''}\u2069`)
