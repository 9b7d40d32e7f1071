import type { Context } from '../../context.ts'
import { addressFor } from '../../http/address/own-address.ts'
import { ApiError, invalid } from '../../http/errors/errors.ts'
import { languageOf } from '../../http/pages/language.ts'
import { goOn } from '../../http/pages/notice-page.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { findPerson } from '../auth/account.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import { readFields } from '../codes/pages.ts'
import { nonceOf, verifierOf } from './begin.ts'
import { visitorOf } from './pages/browser.ts'
import { filled, words } from './pages/messages.ts'
import { failurePage, formPage, refusalPage, resultPage, type View } from './pages/pages.ts'
import { clientFor, type SocialClient } from './providers/clients.ts'
import { proveCode } from './providers/verify.ts'
import { signInHere } from './sign-in-here.ts'
import { type Purpose, type StateRow, type TicketRow, takeState } from './social.queries.ts'
import { issueTicket, linkByTicket, openTicket, ticketOver } from './tickets.ts'

/** A browser that comes back from a provider, or sends a form of the page that it was then shown. */
export interface Return extends View {
  readonly client: SocialClient
  /** What stands in the address, and in the form that the provider's page or ours sent. */
  readonly said: ReadonlyMap<string, string>
  readonly from: Origin
}

const SAID_MAX = 8_000
const USER_MAX = 4_000

/** What a browser is shown, or where it is sent on to. Whoever cannot be sent on reads why. */
export async function comeBack(context: Context, request: Request, slug: string, purpose: Purpose, from: Origin): Promise<Response> {
  const form = await formOf(request)
  const back = await returnOf(context, request, { slug, purpose, from }, form).catch((error) => refusalPage(request, error))
  if (back instanceof Response) return back
  try {
    const ticket = form.get('ticket')
    return ticket === undefined ? await returned(context, back) : await decided(context, back, ticket)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failurePage(back, error)
  }
}

type Asked = { readonly slug: string; readonly purpose: Purpose; readonly from: Origin }

async function returnOf(context: Context, request: Request, { slug, purpose, from }: Asked, form: ReadonlyMap<string, string>) {
  const said = new Map([...new URL(request.url).searchParams, ...form])
  for (const [name, value] of said)
    if (value.length > SAID_MAX || value.includes('\0'))
      throw invalid(`/query/${name.slice(0, 40)}`, `At most ${SAID_MAX} characters of text.`)
  const client = await clientFor(context, slug)
  const isSecure = addressFor(context, request).startsWith('https:')
  const language = languageOf(said.get('ui_locales') ?? null, request.headers.get('accept-language'))
  return {
    client,
    provider: client.adapter,
    purpose,
    said,
    visitor: visitorOf(request, isSecure),
    isSecure,
    language,
    from,
  } satisfies Return
}

const FORM = /^application\/x-www-form-urlencoded\b/i

const formOf = async (request: Request): Promise<ReadonlyMap<string, string>> =>
  request.method === 'POST' && FORM.test(request.headers.get('content-type') ?? '') ? readFields(request) : new Map()

/** The state is used up, whatever comes of it. */
async function returned(context: Context, back: Return): Promise<Response> {
  const { provider, purpose, said, visitor } = back
  const state = said.get('state') ?? ''
  const begun = state === '' ? undefined : await takeState(context.sql, sha256(state), provider.slug, purpose, visitor.digest)
  if (!begun) throw ticketOver()
  try {
    const ticket = await ticketFor(context, back, begun, state)
    if (begun.returnTo !== null) return goOn(withAnswer(begun.returnTo, { provider: provider.slug, ticket }))
    const opened = await openTicket(context, provider.slug, ticket, { browser: visitor.digest })
    return purpose === 'link' ? await askToLink(context, back, ticket, opened) : await signInHere(context, back, ticket, opened)
  } catch (error) {
    // Who changed their mind is back at the page that they came from.
    if (begun.goOnTo !== null && error instanceof ApiError && error.code === 'forbidden') return goOn(begun.goOnTo)
    if (begun.returnTo === null || !(error instanceof ApiError)) throw error
    return goOn(withAnswer(begun.returnTo, { provider: provider.slug, error: error.code, error_description: error.message }))
  }
}

async function ticketFor(context: Context, back: Return, begun: StateRow, state: string): Promise<string> {
  const { client, said, visitor, from } = back
  const verifier = client.adapter.pkce === 'S256' ? verifierOf(context, state) : undefined
  const beside = { nonce: nonceOf(context, state), user: said.get('user')?.slice(0, USER_MAX) }
  const code = { code: codeIn(back), redirectUri: begun.redirectUri, verifier }
  const proven = await proveCode(context, client, from.address, code, beside)
  return issueTicket(context, begun, proven, visitor.digest)
}

/** How a person's own no is called. */
const DENIALS = ['access_denied', 'user_cancelled_authorize']

function codeIn({ provider, said }: Return): string {
  const [refusal, code] = [said.get('error'), said.get('code')]
  if (refusal !== undefined)
    throw new ApiError(DENIALS.includes(refusal) ? 'forbidden' : 'invalid_credentials', `${provider.label} says: ${refusal.slice(0, 100)}.`)
  if (!code) throw new ApiError('invalid_credentials', 'It came back without a code.')
  return code
}

/** Behind a fragment, which no server on the way sees; and worth nothing without what the app kept to itself. */
const withAnswer = (returnTo: string, answer: Readonly<Record<string, string>>) => `${returnTo}#${new URLSearchParams(answer)}`

/** What the person did on the page that was shown: linked, or said what was missing. */
async function decided(context: Context, back: Return, ticket: string): Promise<Response> {
  const { provider, purpose, visitor, language } = back
  const opened = await openTicket(context, provider.slug, ticket, { browser: visitor.digest })
  if (opened.purpose !== purpose) throw ticketOver()
  if (purpose === 'sign_in') return signInHere(context, back, ticket, opened)
  await linkByTicket(context, provider, opened)
  return resultPage(back, words[language].linked)
}

async function askToLink(context: Context, back: Return, ticket: string, { userId, profile }: TicketRow): Promise<Response> {
  const person = userId === null ? undefined : await findPerson(context.sql, userId)
  if (!person) throw ticketOver()
  const there = profile.email ?? profile.name ?? profile.subject
  const say = words[back.language]
  const said = filled(say.linkSaid, { provider: back.provider.label, there, here: person.email })
  return formPage(back, ticket, { said, buttons: [{ name: 'action', value: 'link', label: say.link }] })
}
