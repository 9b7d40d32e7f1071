import type { Context } from '../../../context.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { type App, findClientApp } from '../../apps/client.ts'
import { isMetadataDocumentUrl } from '../../apps/metadata-document-url.ts'
import { hasRedirectUri } from '../../apps/redirect-uris.ts'
import { findPushedRequest } from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { throttleDocumentFetch } from '../registration.ts'
import { parseScopes } from '../tokens/scope.ts'
import { collectParameters, type FormParameters, requireParameter } from './form.ts'

/** Prefix of the `request_uri` of a pushed authorization request (RFC 9126). */
export const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const STATE_MAX = 2_000
/** Parameters whose errors are shown to the user instead of the app, because they identify the app and the address to redirect to. */
const NOT_REDIRECTABLE = ['client_id', 'redirect_uri', 'request_uri']

/** Registered address to which the user is redirected, with the `state` that the app expects there. */
export interface RedirectTarget {
  readonly redirectUri: string
  readonly state: string | null
}

/** Validated authorization request of an app. */
export interface AuthorizationRequest {
  readonly app: App
  readonly redirectTarget: RedirectTarget
  /** The `redirect_uri` parameter; null when the request leaves it out. */
  readonly requestedRedirectUri: string | null
  readonly scopes: readonly Scope[]
  readonly challenge: string | null
  /** Thumbprint of the key that must be proven when the code is exchanged (RFC 9449, section 10). */
  readonly thumbprint: string | null
  /** Digest of the pushed request; null when it was not pushed. */
  readonly pushedDigest: string | null
  /** Languages of the user according to the app (`ui_locales`). */
  readonly locales: string | null
}

/** Error of an authorization request that is reported to the app by a redirect. All other errors are shown to the user. */
export class RedirectRefusal extends Error {
  override readonly name = 'RedirectRefusal'
  constructor(
    readonly refusal: Refusal,
    readonly redirectTarget: RedirectTarget,
  ) {
    super(refusal.message)
  }
}

type Dependencies = Pick<Context, 'sql' | 'shared' | 'documentApps'>

const findClient = (context: Dependencies, id: string, address: string) =>
  isMetadataDocumentUrl(id) ? context.documentApps.find(id, () => throttleDocumentFetch(context, address)) : findClientApp(context.sql, id)

/**
 * Reads the authorization request in the query of an address, or the pushed request that it names. `address` is the IP address of the
 * caller. Throws {@link Refusal} when the user cannot be redirected, else {@link RedirectRefusal}.
 */
export async function readAuthorizationRequest(
  context: Dependencies,
  search: URLSearchParams,
  address: string,
): Promise<AuthorizationRequest> {
  const { values, errors } = collectParameters(search)
  for (const name of NOT_REDIRECTABLE) if (errors.has(name)) throw errors.get(name)
  const app = await findClient(context, requireParameter(values, 'client_id'), address)
  if (!app) throw new Refusal('invalid_client', 'There is no app with this client_id.')
  const uri = values.get('request_uri')
  const [first = null] = errors.values()
  if (uri === undefined) return buildAuthorizationRequest(app, values, app.pushedRequestsOnly ? 'missing' : null, first)
  const pushed = uri.startsWith(REQUEST_URI_PREFIX) ? sha256(uri) : ''
  const request = await findPushedRequest(context.sql, pushed)
  if (request?.appId !== app.id) throw invalidRequest('The request of the app has expired or was answered already. Start again in the app.')
  return buildAuthorizationRequest(app, new Map(Object.entries(request.parameters)), pushed, first)
}

/**
 * Validates the parameters of an authorization request. `pushed` is the digest of the pushed request, or `missing` when the app must push
 * its requests. `error` is the first error in the address. Throws like {@link readAuthorizationRequest}.
 */
export function buildAuthorizationRequest(
  app: App,
  values: FormParameters,
  pushed: string | null,
  error: Refusal | null = null,
): AuthorizationRequest {
  const redirectTarget = redirectTargetOf(app, values)
  try {
    if (error) throw error
    if (pushed === 'missing') throw invalidRequest('This app must push its authorization requests first (RFC 9126).')
    return {
      app,
      redirectTarget,
      requestedRedirectUri: values.get('redirect_uri') ?? null,
      ...requestedAccess(app, values),
      pushedDigest: pushed,
      locales: values.get('ui_locales') ?? null,
    }
  } catch (problem) {
    throw problem instanceof Refusal ? new RedirectRefusal(problem, redirectTarget) : problem
  }
}

function redirectTargetOf(app: App, values: FormParameters): RedirectTarget {
  const [only, ...others] = app.redirectUris
  const redirectUri = values.get('redirect_uri') ?? (others.length === 0 ? only : undefined)
  if (redirectUri === undefined) throw invalidRequest('The parameter redirect_uri is missing.')
  if (!hasRedirectUri(app.redirectUris, redirectUri)) throw invalidRequest('The app has not registered this redirect_uri.')
  return { redirectUri, state: values.get('state') ?? null }
}

function requestedAccess(app: App, values: FormParameters): Pick<AuthorizationRequest, 'scopes' | 'challenge' | 'thumbprint'> {
  if (values.has('request')) throw new Refusal('request_not_supported', 'The parameter request (a signed request object) is not supported.')
  if (requireParameter(values, 'response_type') !== 'code')
    throw new Refusal('unsupported_response_type', 'The response_type must be code.')
  if ((values.get('response_mode') ?? 'query') !== 'query') throw invalidRequest('The response_mode must be query.')
  if ((values.get('state') ?? '').length > STATE_MAX) throw invalidRequest(`A state has at most ${STATE_MAX} characters.`)
  const challenge = challengeOf(app, values)
  const thumbprint = values.get('dpop_jkt') ?? null
  if (thumbprint !== null && !CHALLENGE.test(thumbprint)) throw invalidRequest('dpop_jkt is not the thumbprint of a key.')
  const scope = values.get('scope')
  const scopes = scope === undefined ? app.scopes : parseScopes(scope, app.scopes)
  if (scopes.length === 0) throw new Refusal('invalid_scope', 'Name at least one scope.')
  return { scopes, challenge, thumbprint }
}

function challengeOf(app: App, values: FormParameters): string | null {
  const [challenge, method] = [values.get('code_challenge'), values.get('code_challenge_method')]
  if (challenge === undefined) {
    if (method !== undefined) throw invalidRequest('The parameter code_challenge is missing.')
    if (app.secretHash === null) throw invalidRequest('An app without a secret must use PKCE: code_challenge is missing.')
    return null
  }
  if (method !== 'S256') throw invalidRequest('The code_challenge_method must be S256.')
  if (!CHALLENGE.test(challenge)) throw invalidRequest('code_challenge is not the SHA-256 of a verifier in base64url.')
  return challenge
}

/** Builds the address to which the browser is redirected, with the result, the `state` and the issuer (RFC 9207). */
export function buildRedirectUrl({ redirectUri, state }: RedirectTarget, issuer: string, answer: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
