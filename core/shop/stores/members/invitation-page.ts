import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { setTenant } from '../../../data/tenant-context.ts'
import { formResponse } from '../../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import { findUserByEmail } from '../../../identity/auth/auth.queries.ts'
import { createInvitedUser } from '../../../identity/auth/users/users.ts'
import { consoleAccount, pageLanguage, readFormFields } from '../../../identity/codes/pages.ts'
import { requestCode } from '../../../identity/codes/request-code.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { invitationMessages } from './invitation-messages.ts'
import { findAnswerableInvitation } from './invitations.queries.ts'
import { acceptInvitation, declineInvitation, invitationReaderOf } from './invitations.ts'
import type { ReceivedInvitation } from './members.model.ts'

/** Store and id of an invitation. */
export interface InvitationRef {
  readonly storeId: string
  readonly inviteId: string
}

const [LIMIT_CODES, CLOSED_CODES] = [
  ['limit_reached', 'plan_limit_reached'],
  ['conflict', 'not_found'],
]

/** Returns the path of an invitation's page. */
const invitationPagePath = ({ storeId, inviteId }: InvitationRef) => `/v1/stores/${storeId}/invites/${inviteId}/page`

/**
 * Shows the page of an invitation. A GET answers nothing, since mail scanners follow links. Without an account, it shows the sign-up form;
 * with an invalid token, a notice.
 */
export async function showInvitationPage(context: Context, request: Request, of: InvitationRef): Promise<Response> {
  const language = pageLanguage(request)
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const found = await findByToken(context, of, token)
  const messages = invitationMessages[language]
  if (found?.status !== 'open') return invalidLinkPage(language)
  if (!(await findUserByEmail(context.sql, found.email))) return signUpForm(context, language, found, token)
  return formResponse({
    language,
    title: fill(messages.title, { store: found.storeName }),
    text: fill(`${messages.invited} ${messages.joins}`, { ...namesOf(found), role: messages.roles[found.role] }),
    action: invitationPagePath(of),
    hidden: { token, ui_locales: language },
    buttons: [
      { name: 'action', value: 'accept', label: messages.accept },
      { name: 'action', value: 'decline', label: messages.decline, isPlain: true },
    ],
  })
}

/**
 * Handles the form of the page: accepts, declines, or signs up and accepts. The token in the form proves that the sender reads the mailbox.
 */
export async function answerInvitationPage(context: Context, request: Request, of: InvitationRef): Promise<Response> {
  const form = await readFormFields(request)
  const language = pageLanguage(request, form.get('ui_locales') ?? null)
  const token = form.get('token') ?? ''
  const found = await findByToken(context, of, token)
  if (found?.status !== 'open') return invalidLinkPage(language)
  try {
    if (form.get('action') === 'sign-up') return await signUp(context, language, found, token, form)
    return await answerInvitation(context, language, found, token, { isAccepted: form.get('action') === 'accept' })
  } catch (error) {
    const code = error instanceof DomainError ? error.code : ''
    if (LIMIT_CODES.includes(code)) return noticePage(language, found, 'full', 'waiting')
    if (CLOSED_CODES.includes(code)) return invalidLinkPage(language)
    throw error
  }
}

async function answerInvitation(
  context: Context,
  language: Language,
  found: ReceivedInvitation,
  token: string,
  { isAccepted }: { readonly isAccepted: boolean },
) {
  const { storeId, id, email } = found
  const reader = invitationReaderOf(null, token)
  if (!isAccepted) {
    await declineInvitation(context, storeId, id, reader)
    return noticePage(language, found, 'declined', 'good')
  }
  const user = await findUserByEmail(context.sql, email)
  if (!user) return signUpForm(context, language, found, token)
  // An unconfirmed account may belong to somebody else who typed the address.
  if (!user.emailVerified) return requestConfirmation(context, language, found)
  return acceptAs(context, language, found, token, user)
}

/** Accepts the invitation as this user, and shows a notice. */
async function acceptAs(
  context: Context,
  language: Language,
  found: ReceivedInvitation,
  token: string,
  user: { id: string; isAdmin: boolean },
) {
  const { storeId, id } = found
  setTenant(user.id, { kind: 'person', id: user.id, appId: null, adminId: null })
  await acceptInvitation(context, storeId, id, { id: user.id, isAdmin: user.isAdmin }, invitationReaderOf(null, token))
  return noticePage(language, found, 'accepted', 'good', consoleAccount(context, found.email))
}

/** Shows the form that creates an account. The token of the e-mail proves the address, so it needs no confirmation. */
function signUpForm(context: Context, language: Language, found: ReceivedInvitation, token: string, problem?: string): Response {
  const messages = invitationMessages[language]
  if (!context.config.openSignup) return noticePage(language, found, 'closed', 'waiting')
  return formResponse({
    language,
    title: fill(messages.title, { store: found.storeName }),
    text: fill(`${messages.invited} ${messages.newHere}`, { ...namesOf(found), role: messages.roles[found.role] }),
    ...(problem !== undefined && { problem }),
    action: invitationPagePath({ storeId: found.storeId, inviteId: found.id }),
    hidden: { token, ui_locales: language },
    fields: [
      { name: 'name', label: messages.name, type: 'text', autocomplete: 'name', maxLength: NAME_MAX },
      {
        name: 'password',
        label: messages.password,
        type: 'password',
        autocomplete: 'new-password',
        minLength: PASSWORD.min,
        maxLength: PASSWORD.max,
      },
    ],
    buttons: [
      { name: 'action', value: 'sign-up', label: messages.signUp },
      { name: 'action', value: 'decline', label: messages.decline, isPlain: true, canSkipFields: true },
    ],
  })
}

const PASSWORD = { min: 8, max: 200 }
const NAME_MAX = 80

async function signUp(
  context: Context,
  language: Language,
  found: ReceivedInvitation,
  token: string,
  form: ReadonlyMap<string, string>,
): Promise<Response> {
  const messages = invitationMessages[language]
  if (!context.config.openSignup) return noticePage(language, found, 'closed', 'waiting')
  const [name, password] = [(form.get('name') ?? '').trim(), form.get('password') ?? '']
  if (name === '' || name.length > NAME_MAX || password.length < PASSWORD.min || password.length > PASSWORD.max)
    return signUpForm(context, language, found, token, messages.tooShort)
  try {
    const user = await createInvitedUser(context, { name, email: found.email, password })
    return await acceptAs(context, language, found, token, user)
  } catch (error) {
    const code = error instanceof DomainError ? error.code : ''
    if (code === 'password_too_common') return signUpForm(context, language, found, token, messages.tooCommon)
    // Another request created the account at this moment, so the answer is handled again.
    if (code === 'email_taken') return answerInvitation(context, language, found, token, { isAccepted: true })
    throw error
  }
}

/** E-mails the confirmation link of the address again, unless it was requested often, and shows a notice. */
async function requestConfirmation(context: Context, language: Language, found: ReceivedInvitation): Promise<Response> {
  const codeRequest = { purpose: 'verify_email' as const, email: found.email, language }
  const waitMs = await context.shared.backoff.acquire(`invited:${found.id}`, CONFIRMATION_BACKOFF)
  if (waitMs === 0) await transaction(context.sql, (tx) => requestCode(tx, codeRequest))
  return noticePage(language, found, 'confirmFirst', 'waiting')
}

const CONFIRMATION_BACKOFF = { freeAttempts: 3, firstMs: 60_000, maxMs: 600_000, resetAfterMs: HOUR_MS }

const findByToken = ({ sql }: Context, { storeId, inviteId }: InvitationRef, token: string) =>
  findAnswerableInvitation(sql, storeId, inviteId, invitationReaderOf(null, token))

function noticePage(
  language: Language,
  found: ReceivedInvitation,
  what: 'accepted' | 'declined' | 'closed' | 'confirmFirst' | 'full',
  tone: 'good' | 'waiting',
  goesOnAs?: string,
) {
  const messages = invitationMessages[language]
  return noticeResponse({
    language,
    title: fill(messages.title, namesOf(found)),
    tone,
    text: fill(messages[what], namesOf(found)),
    goesOnAs,
  })
}

function invalidLinkPage(language: Language): Response {
  const messages = invitationMessages[language]
  return noticeResponse({ language, title: messages.overTitle, tone: 'bad', text: messages.over })
}

const namesOf = ({ storeName, inviterName, email }: ReceivedInvitation) => ({
  store: storeName,
  inviter: inviterName ?? storeName,
  email,
})

/** Fills names into a text, isolated by Unicode marks, because their writing direction may differ. */
const fill = (text: string, names: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => `\u2068${names[name] ?? ''}\u2069`)
