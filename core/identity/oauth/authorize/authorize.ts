import type { Context } from '../../../context.ts'
import { addressFor } from '../../../http/address/own-address.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { languageOf } from '../../../http/pages/language.ts'
import { newToken } from '../../../lib/crypto/crypto.ts'
import { sessionOf, signIn, signOut } from '../../auth/sign-in/sign-in.ts'
import type { Refusal } from '../refusal.ts'
import { answering, refusalOf } from '../response.ts'
import { type Authorization, addressBack, RefusedBack, readAuthorization } from './authorization.ts'
import { type Browser, browserOf, formToken, isOwnForm, sessionCookie, visitCookie } from './browser.ts'
import { allow, deny, projectFor, projectsFor } from './consent.ts'
import { type Parameters, readForm } from './form.ts'
import { consentPage, type Frame, failurePage, policy, signInPage } from './page.ts'

/** A browser at our door, with what an app asks its person for in the address. */
interface Visit {
  readonly request: Request
  readonly issuer: string
  readonly isSecure: boolean
  readonly browser: Browser
  readonly frame: Frame
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
}

/** The page that the address leads to: to sign in, or to be asked. */
export const showPage = (context: Context, request: Request, address: string): Promise<Response> =>
  visiting(context, request, address, async (visit, asked) => pageFor(context, visit, asked))

/** What the person did on it. */
export const takeForm = (context: Context, request: Request, address: string): Promise<Response> =>
  visiting(context, request, address, async (visit, asked) => {
    const form = await readForm(request)
    if (!isOwnForm(context.vault, visit.browser, form.get('csrf'))) return pageFor(context, saying(visit, 'old'), asked, 403)
    const action = form.get('action')
    if (action === 'deny') return onward(await deny(context, asked, visit.issuer))
    if (action === 'switch') return signedOut(context, visit)
    if (action === 'allow') return allowed(context, visit, asked, form)
    const told = await otherWay(context, typing(visit, form), asked, form, address)
    return told ?? signedIn(context, typing(visit, form), asked, form, address)
  })

/** Whoever cannot be sent back reads why; nobody is sent anywhere that the app did not register. */
async function visiting(
  context: Context,
  request: Request,
  address: string,
  work: (visit: Visit, asked: Authorization) => Promise<Response>,
): Promise<Response> {
  const visit = visitOf(context, request)
  try {
    const asked = await readAuthorization(context, visit.frame.address.searchParams, address)
    return await work(readBy(visit, asked), asked)
  } catch (error) {
    if (error instanceof RefusedBack) {
      const { code, message } = error.refusal
      return onward(addressBack(error.back, visit.issuer, { error: code, error_description: message }))
    }
    return failurePageFor(context, visit, error)
  }
}

/** What was refused before anybody looked at what is asked: a page for who comes by a page, and what RFC 6749 says for a program. */
export async function failed(context: Context, request: Request, error: unknown): Promise<Response> {
  return isJson(request) ? answering(context.log, () => Promise.reject(error)) : failurePageFor(context, visitOf(context, request), error)
}

const isJson = (request: Request) => (request.headers.get('content-type') ?? '').startsWith('application/json')

function failurePageFor({ log }: Context, { frame }: Visit, error: unknown): Response {
  const refusal = refusalOf(error)
  if (refusal.status >= 500 && refusal.code === 'server_error') log.error({ err: error }, refusal.message)
  // Nobody asked this person for a credential: a page has no use for the status that says so.
  const status = refusal.code === 'invalid_client' ? 400 : refusal.status
  return waiting(html(failurePage(frame, refusal.message), status), refusal)
}

function waiting(answer: Response, { extra }: ApiError | Refusal): Response {
  const wait = extra.headers?.['retry-after']
  if (wait !== undefined) answer.headers.set('retry-after', wait)
  return answer
}

function visitOf(context: Context, request: Request): Visit {
  const [issuer, address] = [addressFor(context, request), new URL(request.url)]
  const isSecure = issuer.startsWith('https:')
  const language = languageOf(address.searchParams.get('ui_locales'), request.headers.get('accept-language'))
  return { request, issuer, isSecure, browser: browserOf(request, isSecure), frame: { language, address, problem: null, email: '' } }
}

/** In the language that was pushed with what is asked, unless the address names one. */
function readBy(visit: Visit, { locales }: Authorization): Visit {
  if (locales === null || visit.frame.address.searchParams.has('ui_locales')) return visit
  return { ...visit, frame: { ...visit.frame, language: languageOf(locales, visit.request.headers.get('accept-language')) } }
}

/** The address that was typed stays in the page. */
const typing = (visit: Visit, form: Parameters): Visit => ({
  ...visit,
  frame: { ...visit.frame, email: (form.get('email') ?? '').trim().slice(0, 254) },
})

const saying = (visit: Visit, problem: Frame['problem']): Visit => ({ ...visit, frame: { ...visit.frame, problem } })

async function pageFor(context: Context, visit: Visit, asked: Authorization, status = 200): Promise<Response> {
  const { browser, frame, isSecure } = visit
  const session = browser.session === null ? null : await sessionOf(context, browser.session)
  // A session that is over is none: the form belongs to the browser alone.
  const csrf = formToken(context.vault, browser)
  const cookies = browser.isNew ? [visitCookie(browser, isSecure)] : []
  const { signInWays: ways } = context
  const offered = { hasPasskeys: ways.passkey !== undefined, canReset: ways.forgot !== undefined, nonce: newToken('n') }
  const page = session
    ? consentPage(frame, { asked, user: session.user, projects: await projectsFor(context, session.userId), csrf })
    : signInPage(frame, asked, csrf, { providers: (await ways.social?.list(context)) ?? [], ...offered })
  return html(page, status, cookies, session ? null : offered.nonce)
}

async function allowed(context: Context, visit: Visit, asked: Authorization, form: Parameters): Promise<Response> {
  const session = visit.browser.session === null ? null : await sessionOf(context, visit.browser.session)
  if (!session) return pageFor(context, visit, asked)
  const chosen = form.get('project')
  const project = await projectFor(context, session.userId, chosen)
  // It is no longer his: the page that says so shows those that are.
  if (chosen !== undefined && !project) return pageFor(context, saying(visit, 'old'), asked, 403)
  return onward(await allow(context, asked, { session, projectId: project?.id ?? null }, visit.issuer))
}

const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0.]+(\.[^@\s\0.]+)+$/

/** The ways in beside the password, where the form names one. */
async function otherWay(context: Context, visit: Visit, asked: Authorization, form: Parameters, address: string): Promise<Response | null> {
  const { request, frame } = visit
  const { social, passkey, forgot } = context.signInWays
  const action = form.get('action')
  if (action === 'social' && social) return social.leave(context, request, form.get('provider') ?? '', here(visit))
  try {
    if (action === 'passkey' && passkey) {
      const from = { address, userAgent: request.headers.get('user-agent') ?? '' }
      const { token } = await passkey(context, request, parsed(form.get('passkey')), from)
      return onward(here(visit), [sessionCookie(token, visit.isSecure)])
    }
    if (action !== 'forgot' || !forgot) return null
    if (!EMAIL.test(frame.email)) return pageFor(context, saying(visit, 'addressFirst'), asked, 400)
    await forgot(context, { email: frame.email, language: frame.language, address })
    return pageFor(context, saying(visit, 'sent'), asked)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const problem = error.code === 'rate_limited' ? 'slow' : 'passkeyFailed'
    return waiting(await pageFor(context, saying(visit, problem), asked, error.status), error)
  }
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const PROBLEMS: Readonly<Record<string, Frame['problem']>> = {
  rate_limited: 'slow',
  second_factor_required: 'second',
  invalid_code: 'second',
}

async function signedIn(context: Context, visit: Visit, asked: Authorization, form: Parameters, address: string): Promise<Response> {
  const secondFactor = form.get('secondFactor')?.slice(0, 40)
  const credentials = { email: (form.get('email') ?? '').slice(0, 254), password: (form.get('password') ?? '').slice(0, 200) }
  const input = { ...credentials, ...(secondFactor !== undefined && { secondFactor }) }
  const userAgent = visit.request.headers.get('user-agent') ?? ''
  try {
    const { token } = await signIn(context, input, { address, userAgent })
    return onward(here(visit), [sessionCookie(token, visit.isSecure)])
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return waiting(await pageFor(context, saying(visit, PROBLEMS[error.code] ?? 'wrong'), asked, error.status), error)
  }
}

async function signedOut(context: Context, visit: Visit): Promise<Response> {
  const session = visit.browser.session === null ? null : await sessionOf(context, visit.browser.session)
  if (session) await signOut(context, session.userId, session.id)
  return onward(here(visit), [sessionCookie(null, visit.isSecure)])
}

const here = ({ frame }: Visit) => frame.address.pathname + frame.address.search

/** With GET, whatever brought the browser here. */
const onward = (address: string, cookies: readonly string[] = []) => answer(null, 303, { location: address }, cookies)

const html = (page: string, status: number, cookies: readonly string[] = [], nonce: string | null = null) =>
  answer(page, status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) }, cookies)

function answer(body: string | null, status: number, headers: Record<string, string>, cookies: readonly string[]): Response {
  const all = new Headers({ ...HEADERS, ...headers })
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return new Response(body, { status, headers: all })
}
