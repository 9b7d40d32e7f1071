import type { Context } from '../../context.ts'
import { ownedBy } from '../../data/owner.ts'
import { ApiError } from '../../http/errors.ts'
import { formResponse } from '../../http/form-page.ts'
import { type Language, noticeResponse } from '../../http/notice-page.ts'
import { findUserByEmail } from '../../identity/auth/auth.queries.ts'
import { languageFor, readFields } from '../../identity/codes/pages.ts'
import { words } from './invitation-words.ts'
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
  // Until an address is confirmed its account may be of somebody who only typed it.
  if (!user?.emailVerified) return tell(language, found, 'signUpFirst', 'waiting')
  ownedBy(user.id, { kind: 'person', id: user.id, appId: null, adminId: null })
  await accept(context, storeId, id, { id: user.id, isAdmin: user.isAdmin }, reader)
  return tell(language, found, 'accepted', 'good')
}

const findLinked = ({ sql }: Context, { storeId, inviteId }: Invited, token: string) =>
  findOwn(sql, storeId, inviteId, readerOf(null, token))

function tell(
  language: Language,
  found: ReceivedInvitation,
  what: 'accepted' | 'declined' | 'signUpFirst' | 'full',
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
