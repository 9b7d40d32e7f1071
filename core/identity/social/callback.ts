import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { languageOf } from '../../http/pages/language.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { findPublicUser } from '../auth/account.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { readFormFields } from '../codes/pages.ts'
import { readBrowserCookie } from './pages/browser.ts'
import { fillPlaceholders, socialMessages } from './pages/messages.ts'
import { failurePage, formPage, refusalPage, resultPage, type SocialPageView } from './pages/pages.ts'
import { requireSocialClient, type SocialClient } from './providers/clients.ts'
import { verifyProviderCode } from './providers/verify.ts'
import { signInBrowser } from './sign-in-browser.ts'
import { socialErrors } from './social.errors.ts'
import { consumeSocialState, type SocialPurpose, type StateRow, type TicketRow } from './social.queries.ts'
import { nonceFor, pkceVerifierFor } from './start-flow.ts'
import { issueTicket, linkByTicket, verifyTicket } from './tickets.ts'

/** Request of a browser that returns from a provider, or that submits a form of this server afterwards. */
export interface CallbackVisit extends SocialPageView {
  readonly client: SocialClient
  /** Parameters of the address and of the submitted form. */
  readonly fields: ReadonlyMap<string, string>
  readonly from: ClientOrigin
}

const FIELD_MAX = 8_000
const USER_MAX = 4_000

/**
 * Handles the callback of a provider and the forms that follow it. Shows a page or redirects; errors are shown when no redirect is
 * possible.
 */
export async function handleCallback(
  context: Context,
  request: Request,
  slug: string,
  purpose: SocialPurpose,
  from: ClientOrigin,
): Promise<Response> {
  const form = await formOf(request)
  const back = await returnOf(context, request, { slug, purpose, from }, form).catch((error) => refusalPage(request, error))
  if (back instanceof Response) return back
  try {
    const ticket = form.get('ticket')
    return ticket === undefined ? await handleProviderReturn(context, back) : await handleForm(context, back, ticket)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return failurePage(back, error)
  }
}

type CallbackInput = { readonly slug: string; readonly purpose: SocialPurpose; readonly from: ClientOrigin }

async function returnOf(context: Context, request: Request, { slug, purpose, from }: CallbackInput, form: ReadonlyMap<string, string>) {
  const fields = new Map([...new URL(request.url).searchParams, ...form])
  for (const [name, value] of fields)
    if (value.length > FIELD_MAX || value.includes('\0'))
      throw socialErrors.textTooLong({ fieldMax: FIELD_MAX }, { field: [name.slice(0, 40)] })
  const client = await requireSocialClient(context, slug)
  const isSecure = serverAddressFor(context, request).startsWith('https:')
  const language = languageOf(fields.get('ui_locales') ?? null, request.headers.get('accept-language'))
  return {
    client,
    provider: client.adapter,
    purpose,
    fields,
    visitor: readBrowserCookie(request, { isSecure }),
    isSecure,
    language,
    from,
  } satisfies CallbackVisit
}

const FORM = /^application\/x-www-form-urlencoded\b/i

const formOf = async (request: Request): Promise<ReadonlyMap<string, string>> =>
  request.method === 'POST' && FORM.test(request.headers.get('content-type') ?? '') ? readFormFields(request) : new Map()

/** Handles the return from a provider. The state is consumed, whatever the result. */
async function handleProviderReturn(context: Context, back: CallbackVisit): Promise<Response> {
  const { provider, purpose, fields, visitor } = back
  const state = fields.get('state') ?? ''
  const flow = state === '' ? undefined : await consumeSocialState(context.sql, sha256(state), provider.slug, purpose, visitor.digest)
  if (!flow) throw socialErrors.ticketInvalid()
  try {
    const ticket = await ticketFor(context, back, flow, state)
    if (flow.returnTo !== null) return redirectTo(withFragment(flow.returnTo, { provider: provider.slug, ticket }))
    const opened = await verifyTicket(context, provider.slug, ticket, { browser: visitor.digest })
    return purpose === 'link' ? await linkPage(context, back, ticket, opened) : await signInBrowser(context, back, ticket, opened)
  } catch (error) {
    // The user cancelled, so the browser returns to the page that started the sign-in.
    if (flow.goOnTo !== null && error instanceof DomainError && error.code === 'forbidden') return redirectTo(flow.goOnTo)
    if (flow.returnTo === null || !(error instanceof DomainError)) throw error
    return redirectTo(withFragment(flow.returnTo, { provider: provider.slug, error: error.code, error_description: error.message }))
  }
}

async function ticketFor(context: Context, back: CallbackVisit, flow: StateRow, state: string): Promise<string> {
  const { client, fields, visitor, from } = back
  const verifier = client.adapter.pkce === 'S256' ? pkceVerifierFor(context, state) : undefined
  const extra = { nonce: nonceFor(context, state), user: fields.get('user')?.slice(0, USER_MAX) }
  const code = { code: codeIn(back), redirectUri: flow.redirectUri, verifier }
  const proven = await verifyProviderCode(context, client, from.address, code, extra)
  return issueTicket(context, flow, proven, visitor.digest)
}

/** Error codes of providers for a user who cancelled. */
const DENIALS = ['access_denied', 'user_cancelled_authorize']

function codeIn({ provider, fields }: CallbackVisit): string {
  const [refusal, code] = [fields.get('error'), fields.get('code')]
  if (refusal !== undefined)
    throw socialErrors[DENIALS.includes(refusal) ? 'signInDenied' : 'signInFailed']({ label: provider.label, error: refusal.slice(0, 100) })
  if (!code) throw socialErrors.codeMissing()
  return code
}

/** Appends the result as a fragment, which is not sent to servers. The ticket in it is useless without the verifier of the app. */
const withFragment = (returnTo: string, answer: Readonly<Record<string, string>>) => `${returnTo}#${new URLSearchParams(answer)}`

/** Handles a form of this server: the confirmation of a link, or a missing value of a sign-in. */
async function handleForm(context: Context, back: CallbackVisit, ticket: string): Promise<Response> {
  const { provider, purpose, visitor, language } = back
  const opened = await verifyTicket(context, provider.slug, ticket, { browser: visitor.digest })
  if (opened.purpose !== purpose) throw socialErrors.ticketInvalid()
  if (purpose === 'sign_in') return signInBrowser(context, back, ticket, opened)
  await linkByTicket(context, provider, opened)
  return resultPage(back, socialMessages[language].linked)
}

async function linkPage(context: Context, back: CallbackVisit, ticket: string, { userId, profile }: TicketRow): Promise<Response> {
  const person = userId === null ? undefined : await findPublicUser(context.sql, userId)
  if (!person) throw socialErrors.ticketInvalid()
  const there = profile.email ?? profile.name ?? profile.subject
  const text = socialMessages[back.language]
  const linkText = fillPlaceholders(text.linkSaid, { provider: back.provider.label, there, here: person.email })
  return formPage(back, ticket, { text: linkText, buttons: [{ name: 'action', value: 'link', label: text.link }] })
}
