import type { Context } from '../../../context.ts'
import { serverAddressFor } from '../../../http/address/server-address.ts'
import { headersOf } from '../../../http/errors/envelope.ts'
import { statusOf } from '../../../http/errors/statuses.ts'
import { languageOf } from '../../../http/pages/language.ts'
import { newToken } from '../../../lib/crypto/crypto.ts'
import { DomainError, isRefusal } from '../../../lib/errors/domain-error.ts'
import {
  type BrowserCookies,
  csrfTokenOf,
  isCsrfTokenValid,
  readBrowserCookies,
  sessionCookie,
  visitCookie,
} from '../../auth/sign-in/browser-cookies.ts'
import { findSessionByToken, signIn, signOut } from '../../auth/sign-in/sign-in.ts'
import { redirectToProvider } from '../../social/redirect.ts'
import type { Refusal } from '../refusal.ts'
import { oauthResponse, toRefusal } from '../response.ts'
import { type AuthorizationRequest, buildRedirectUrl, RedirectRefusal, readAuthorizationRequest } from './authorization.ts'
import { denyConsent, findConsentProject, grantConsent, listConsentProjects } from './consent.ts'
import { type FormParameters, readOAuthForm } from './form.ts'
import { consentPage, contentSecurityPolicy, failurePage, type PageFrame, signInPage } from './page.ts'
import { requestPasswordReset, signInWithPasskey } from './sign-in-methods.ts'

/** Request of a browser for the authorization pages. */
interface Visit {
  readonly request: Request
  readonly issuer: string
  readonly isSecure: boolean
  readonly browser: BrowserCookies
  readonly frame: PageFrame
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
}

/** Shows the sign-in page or the consent page of an authorization request. */
export const showAuthorizePage = (context: Context, request: Request, address: string): Promise<Response> =>
  withVisit(context, request, address, async (visit, authorization) => pageFor(context, visit, authorization))

/** Handles a submitted form of the authorization pages: sign in, allow, deny, or switch the account. */
export const handleAuthorizeForm = (context: Context, request: Request, address: string): Promise<Response> =>
  withVisit(context, request, address, async (visit, authorization) => {
    const form = await readOAuthForm(request)
    if (!isCsrfTokenValid(context.vault, visit.browser, form.get('csrf')))
      return pageFor(context, withProblem(withTypedEmail(visit, form), 'old'), authorization, 403)
    const action = form.get('action')
    if (action === 'deny') return redirectTo(await denyConsent(context, authorization, visit.issuer))
    if (action === 'switch') return handleAccountSwitch(context, visit)
    if (action === 'allow') return handleAllow(context, visit, authorization, form)
    const response = await handleOtherMethod(context, withTypedEmail(visit, form), authorization, form, address)
    return response ?? handlePasswordSignIn(context, withTypedEmail(visit, form), authorization, form, address)
  })

/**
 * Reads the authorization request and runs `work`. Errors redirect to the app, or are shown to the user when no registered address is
 * known.
 */
async function withVisit(
  context: Context,
  request: Request,
  address: string,
  work: (visit: Visit, authorization: AuthorizationRequest) => Promise<Response>,
): Promise<Response> {
  const visit = visitOf(context, request)
  try {
    const authorization = await readAuthorizationRequest(context, visit.frame.address.searchParams, address)
    return await work(withRequestLanguage(visit, authorization), authorization)
  } catch (error) {
    if (error instanceof RedirectRefusal) {
      const { code, message } = error.refusal
      return redirectTo(buildRedirectUrl(error.redirectTarget, visit.issuer, { error: code, error_description: message }))
    }
    return failurePageFor(context, visit, error)
  }
}

/** Builds the response to an error before the authorization request was read: a page for browsers, the JSON of RFC 6749 for programs. */
export async function failureResponse(context: Context, request: Request, error: unknown): Promise<Response> {
  return isJson(request)
    ? oauthResponse(context.log, () => Promise.reject(error))
    : failurePageFor(context, visitOf(context, request), error)
}

const isJson = (request: Request) => (request.headers.get('content-type') ?? '').startsWith('application/json')

function failurePageFor({ log }: Context, { frame }: Visit, error: unknown): Response {
  const refusal = toRefusal(error)
  if (refusal.status >= 500 && refusal.code === 'server_error') log.error({ err: error }, refusal.message)
  // Status 401 asks for credentials, which a page cannot send.
  const status = refusal.code === 'invalid_client' ? 400 : refusal.status
  return withRetryAfter(htmlResponse(failurePage(frame, refusal.message), status), refusal)
}

function withRetryAfter(response: Response, error: DomainError | Refusal): Response {
  const { 'retry-after': wait } = error instanceof DomainError ? headersOf(error) : (error.extra.headers ?? {})
  if (wait !== undefined) response.headers.set('retry-after', wait)
  return response
}

function visitOf(context: Context, request: Request): Visit {
  const [issuer, address] = [serverAddressFor(context, request), new URL(request.url)]
  const isSecure = issuer.startsWith('https:')
  const language = languageOf(address.searchParams.get('ui_locales'), request.headers.get('accept-language'))
  return {
    request,
    issuer,
    isSecure,
    browser: readBrowserCookies(request, { isSecure }),
    frame: { language, address, problem: null, email: '' },
  }
}

/** Uses the language of the pushed request, unless the address names one. */
function withRequestLanguage(visit: Visit, { locales }: AuthorizationRequest): Visit {
  if (locales === null || visit.frame.address.searchParams.has('ui_locales')) return visit
  return { ...visit, frame: { ...visit.frame, language: languageOf(locales, visit.request.headers.get('accept-language')) } }
}

/** Keeps the typed e-mail address in the form. */
const withTypedEmail = (visit: Visit, form: FormParameters): Visit => ({
  ...visit,
  frame: { ...visit.frame, email: (form.get('email') ?? '').trim().slice(0, 254) },
})

const withProblem = (visit: Visit, problem: PageFrame['problem']): Visit => ({ ...visit, frame: { ...visit.frame, problem } })

async function pageFor(context: Context, visit: Visit, authorization: AuthorizationRequest, status = 200): Promise<Response> {
  const { browser, frame, isSecure } = visit
  const session = browser.session === null ? null : await findSessionByToken(context, browser.session)
  // With an expired session the form token depends on the browser alone.
  const csrf = csrfTokenOf(context.vault, browser)
  const cookies = browser.isNew ? [visitCookie(browser, { isSecure })] : []
  const nonce = newToken('n')
  const page = session
    ? consentPage(frame, { authorization, user: session.user, projects: await listConsentProjects(context, session.userId), csrf })
    : signInPage(frame, authorization, csrf, { providers: await context.listSocialProviders(), nonce })
  return htmlResponse(page, status, cookies, session ? null : nonce)
}

async function handleAllow(context: Context, visit: Visit, authorization: AuthorizationRequest, form: FormParameters): Promise<Response> {
  const session = visit.browser.session === null ? null : await findSessionByToken(context, visit.browser.session)
  if (!session) return pageFor(context, visit, authorization)
  const chosen = form.get('project')
  const project = await findConsentProject(context, session.userId, chosen)
  // The user may no longer manage this project. The page shows the projects that they may.
  if (chosen !== undefined && !project) return pageFor(context, withProblem(visit, 'old'), authorization, 403)
  return redirectTo(await grantConsent(context, authorization, { session, projectId: project?.id ?? null }, visit.issuer))
}

const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0.]+(\.[^@\s\0.]+)+$/

/** Handles the sign-in methods other than the password. Returns null when the form uses none of them. */
async function handleOtherMethod(
  context: Context,
  visit: Visit,
  authorization: AuthorizationRequest,
  form: FormParameters,
  address: string,
): Promise<Response | null> {
  const { request, frame } = visit
  const action = form.get('action')
  if (action === 'social') return redirectToProvider(context, request, form.get('provider') ?? '', { goOnTo: currentPath(visit) })
  try {
    if (action === 'passkey') {
      const from = { address, userAgent: request.headers.get('user-agent') ?? '' }
      const { token } = await signInWithPasskey(context, request, parseJson(form.get('passkey')), from)
      return redirectTo(currentPath(visit), [sessionCookie(token, { isSecure: visit.isSecure })])
    }
    if (action !== 'forgot') return null
    if (!EMAIL.test(frame.email)) return pageFor(context, withProblem(visit, 'addressFirst'), authorization, 400)
    await requestPasswordReset(context, { email: frame.email, language: frame.language, address })
    return pageFor(context, withProblem(visit, 'sent'), authorization)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const problem = error.code === 'rate_limited' ? 'slow' : 'passkeyFailed'
    return withRetryAfter(await pageFor(context, withProblem(visit, problem), authorization, statusOf(error)), error)
  }
}

function parseJson(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const PROBLEMS: Readonly<Record<string, PageFrame['problem']>> = {
  rate_limited: 'slow',
  second_factor_required: 'second',
  invalid_code: 'second',
}

async function handlePasswordSignIn(
  context: Context,
  visit: Visit,
  authorization: AuthorizationRequest,
  form: FormParameters,
  address: string,
): Promise<Response> {
  const secondFactor = form.get('secondFactor')?.slice(0, 40)
  const credentials = { email: (form.get('email') ?? '').slice(0, 254), password: (form.get('password') ?? '').slice(0, 200) }
  const input = { ...credentials, ...(secondFactor !== undefined && { secondFactor }) }
  const userAgent = visit.request.headers.get('user-agent') ?? ''
  try {
    const { token } = await signIn(context, input, { address, userAgent })
    return redirectTo(currentPath(visit), [sessionCookie(token, { isSecure: visit.isSecure })])
  } catch (error) {
    if (!isRefusal(error)) throw error
    return withRetryAfter(
      await pageFor(context, withProblem(visit, PROBLEMS[error.code] ?? 'wrong'), authorization, statusOf(error)),
      error,
    )
  }
}

async function handleAccountSwitch(context: Context, visit: Visit): Promise<Response> {
  const session = visit.browser.session === null ? null : await findSessionByToken(context, visit.browser.session)
  if (session) await signOut(context, session.userId, session.id)
  return redirectTo(currentPath(visit), [sessionCookie(null, { isSecure: visit.isSecure })])
}

const currentPath = ({ frame }: Visit) => frame.address.pathname + frame.address.search

/** Redirects with status 303, so that the browser continues with GET. */
const redirectTo = (address: string, cookies: readonly string[] = []) => buildResponse(null, 303, { location: address }, cookies)

const htmlResponse = (page: string, status: number, cookies: readonly string[] = [], nonce: string | null = null) =>
  buildResponse(
    page,
    status,
    { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy(nonce) },
    cookies,
  )

function buildResponse(body: string | null, status: number, headers: Record<string, string>, cookies: readonly string[]): Response {
  const all = new Headers({ ...HEADERS, ...headers })
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return new Response(body, { status, headers: all })
}
