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

/** Request of a browser that returns from a provider, or that submits a form of this server afterwards. */
export interface Return extends View {
  readonly client: SocialClient
  /** Parameters of the address and of the submitted form. */
  readonly fields: ReadonlyMap<string, string>
  readonly from: Origin
}

const FIELD_MAX = 8_000
const USER_MAX = 4_000

/**
 * Handles the callback of a provider and the forms that follow it. Shows a page or redirects; errors are shown when no redirect is
 * possible.
 */
export async function comeBack(context: Context, request: Request, slug: string, purpose: Purpose, from: Origin): Promise<Response> {
  const form = await formOf(request)
  const back = await returnOf(context, request, { slug, purpose, from }, form).catch((error) => refusalPage(request, error))
  if (back instanceof Response) return back
  try {
    const ticket = form.get('ticket')
    return ticket === undefined ? await handleProviderReturn(context, back) : await handleForm(context, back, ticket)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failurePage(back, error)
  }
}

type CallbackInput = { readonly slug: string; readonly purpose: Purpose; readonly from: Origin }

async function returnOf(context: Context, request: Request, { slug, purpose, from }: CallbackInput, form: ReadonlyMap<string, string>) {
  const fields = new Map([...new URL(request.url).searchParams, ...form])
  for (const [name, value] of fields)
    if (value.length > FIELD_MAX || value.includes('\0'))
      throw invalid(`/query/${name.slice(0, 40)}`, `At most ${FIELD_MAX} characters of text.`)
  const client = await clientFor(context, slug)
  const isSecure = addressFor(context, request).startsWith('https:')
  const language = languageOf(fields.get('ui_locales') ?? null, request.headers.get('accept-language'))
  return {
    client,
    provider: client.adapter,
    purpose,
    fields,
    visitor: visitorOf(request, isSecure),
    isSecure,
    language,
    from,
  } satisfies Return
}

const FORM = /^application\/x-www-form-urlencoded\b/i

const formOf = async (request: Request): Promise<ReadonlyMap<string, string>> =>
  request.method === 'POST' && FORM.test(request.headers.get('content-type') ?? '') ? readFields(request) : new Map()

/** Handles the return from a provider. The state is consumed, whatever the result. */
async function handleProviderReturn(context: Context, back: Return): Promise<Response> {
  const { provider, purpose, fields, visitor } = back
  const state = fields.get('state') ?? ''
  const flow = state === '' ? undefined : await takeState(context.sql, sha256(state), provider.slug, purpose, visitor.digest)
  if (!flow) throw ticketOver()
  try {
    const ticket = await ticketFor(context, back, flow, state)
    if (flow.returnTo !== null) return goOn(withFragment(flow.returnTo, { provider: provider.slug, ticket }))
    const opened = await openTicket(context, provider.slug, ticket, { browser: visitor.digest })
    return purpose === 'link' ? await linkPage(context, back, ticket, opened) : await signInHere(context, back, ticket, opened)
  } catch (error) {
    // The user cancelled, so the browser returns to the page that started the sign-in.
    if (flow.goOnTo !== null && error instanceof ApiError && error.code === 'forbidden') return goOn(flow.goOnTo)
    if (flow.returnTo === null || !(error instanceof ApiError)) throw error
    return goOn(withFragment(flow.returnTo, { provider: provider.slug, error: error.code, error_description: error.message }))
  }
}

async function ticketFor(context: Context, back: Return, flow: StateRow, state: string): Promise<string> {
  const { client, fields, visitor, from } = back
  const verifier = client.adapter.pkce === 'S256' ? verifierOf(context, state) : undefined
  const extra = { nonce: nonceOf(context, state), user: fields.get('user')?.slice(0, USER_MAX) }
  const code = { code: codeIn(back), redirectUri: flow.redirectUri, verifier }
  const proven = await proveCode(context, client, from.address, code, extra)
  return issueTicket(context, flow, proven, visitor.digest)
}

/** Error codes of providers for a user who cancelled. */
const DENIALS = ['access_denied', 'user_cancelled_authorize']

function codeIn({ provider, fields }: Return): string {
  const [refusal, code] = [fields.get('error'), fields.get('code')]
  if (refusal !== undefined)
    throw new ApiError(
      DENIALS.includes(refusal) ? 'forbidden' : 'invalid_credentials',
      `${provider.label} reported an error: ${refusal.slice(0, 100)}.`,
    )
  if (!code) throw new ApiError('invalid_credentials', 'The provider returned no code. Start again.')
  return code
}

/** Appends the result as a fragment, which is not sent to servers. The ticket in it is useless without the verifier of the app. */
const withFragment = (returnTo: string, answer: Readonly<Record<string, string>>) => `${returnTo}#${new URLSearchParams(answer)}`

/** Handles a form of this server: the confirmation of a link, or a missing value of a sign-in. */
async function handleForm(context: Context, back: Return, ticket: string): Promise<Response> {
  const { provider, purpose, visitor, language } = back
  const opened = await openTicket(context, provider.slug, ticket, { browser: visitor.digest })
  if (opened.purpose !== purpose) throw ticketOver()
  if (purpose === 'sign_in') return signInHere(context, back, ticket, opened)
  await linkByTicket(context, provider, opened)
  return resultPage(back, words[language].linked)
}

async function linkPage(context: Context, back: Return, ticket: string, { userId, profile }: TicketRow): Promise<Response> {
  const person = userId === null ? undefined : await findPerson(context.sql, userId)
  if (!person) throw ticketOver()
  const there = profile.email ?? profile.name ?? profile.subject
  const text = words[back.language]
  const said = filled(text.linkSaid, { provider: back.provider.label, there, here: person.email })
  return formPage(back, ticket, { said, buttons: [{ name: 'action', value: 'link', label: text.link }] })
}
