import type { Context } from '../../../context.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { type App, clientApp } from '../../apps/client.ts'
import { isDocumentAddress } from '../../apps/document-address.ts'
import { hasRedirectUri } from '../../apps/redirect-uris.ts'
import { findRequest } from '../grants.queries.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { assertMayFetch } from '../registration.ts'
import { scopesIn } from '../tokens/scope.ts'
import { type Parameters, parametersIn, required } from './form.ts'

export const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:'
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const STATE_MAX = 2_000
/** What is wrong with these is told to nobody but the person: they say who asks, and where to send him back. */
const AT_THE_DOOR = ['client_id', 'redirect_uri', 'request_uri']

/** Where a person is sent back to, and what the app wants to read there. */
export interface Back {
  readonly redirectUri: string
  readonly state: string | null
}

/** What an app asks a person for. */
export interface Authorization {
  readonly app: App
  readonly back: Back
  /** As the request named it. */
  readonly namedUri: string | null
  readonly scopes: readonly Scope[]
  readonly challenge: string | null
  /** Of the key that has to come with the code (RFC 9449, 10). */
  readonly thumbprint: string | null
  /** Of the request that was pushed before, if it was. */
  readonly pushed: string | null
  /** The languages that the app says its person reads. */
  readonly locales: string | null
}

/** The app was told wrong, and can be told so where its person is sent back to; anything else is told to the person. */
export class RefusedBack extends Error {
  override readonly name = 'RefusedBack'
  constructor(
    readonly refusal: Refusal,
    readonly back: Back,
  ) {
    super(refusal.message)
  }
}

type Asks = Pick<Context, 'sql' | 'shared' | 'documentApps'>

const clientNamed = (context: Asks, id: string, address: string) =>
  isDocumentAddress(id) ? context.documentApps.find(id, () => assertMayFetch(context, address)) : clientApp(context.sql, id)

/** Reads what an app asks for in an address; `address` is where the request comes from. Throws `Refusal` where nobody can be sent back, else `RefusedBack`. */
export async function readAuthorization(context: Asks, search: URLSearchParams, address: string): Promise<Authorization> {
  const { said, wrong } = parametersIn(search)
  for (const name of AT_THE_DOOR) if (wrong.has(name)) throw wrong.get(name)
  const app = await clientNamed(context, required(said, 'client_id'), address)
  if (!app) throw new Refusal('invalid_client', 'There is no app with this client_id.')
  const uri = said.get('request_uri')
  const [first = null] = wrong.values()
  if (uri === undefined) return authorizationOf(app, said, app.pushedRequestsOnly ? 'missing' : null, first)
  const pushed = uri.startsWith(REQUEST_URI) ? sha256(uri) : ''
  const request = await findRequest(context.sql, pushed)
  if (request?.appId !== app.id) throw invalidRequest('What the app asks for has expired or was answered already. Begin again in the app.')
  return authorizationOf(app, new Map(Object.entries(request.parameters)), pushed, first)
}

/** `pushed`: the digest of the request that was pushed; 'missing' where it had to be. `wrong`: what its address says wrongly. */
export function authorizationOf(app: App, said: Parameters, pushed: string | null, wrong: Refusal | null = null): Authorization {
  const back = backOf(app, said)
  try {
    if (wrong) throw wrong
    if (pushed === 'missing') throw invalidRequest('This app has to push its requests first (RFC 9126).')
    return { app, back, namedUri: said.get('redirect_uri') ?? null, ...askedBy(app, said), pushed, locales: said.get('ui_locales') ?? null }
  } catch (error) {
    throw error instanceof Refusal ? new RefusedBack(error, back) : error
  }
}

function backOf(app: App, said: Parameters): Back {
  const [only, ...others] = app.redirectUris
  const redirectUri = said.get('redirect_uri') ?? (others.length === 0 ? only : undefined)
  if (redirectUri === undefined) throw invalidRequest('The parameter redirect_uri is missing.')
  if (!hasRedirectUri(app.redirectUris, redirectUri)) throw invalidRequest('This redirect_uri is none of those that the app registered.')
  return { redirectUri, state: said.get('state') ?? null }
}

function askedBy(app: App, said: Parameters): Pick<Authorization, 'scopes' | 'challenge' | 'thumbprint'> {
  if (said.has('request')) throw new Refusal('request_not_supported', 'Requests as signed objects are not taken.')
  if (required(said, 'response_type') !== 'code') throw new Refusal('unsupported_response_type', 'The response_type is code.')
  if ((said.get('response_mode') ?? 'query') !== 'query') throw invalidRequest('The response_mode is query.')
  if ((said.get('state') ?? '').length > STATE_MAX) throw invalidRequest(`A state has at most ${STATE_MAX} characters.`)
  const challenge = challengeOf(app, said)
  const thumbprint = said.get('dpop_jkt') ?? null
  if (thumbprint !== null && !CHALLENGE.test(thumbprint)) throw invalidRequest('dpop_jkt is no thumbprint of a key.')
  const scope = said.get('scope')
  const scopes = scope === undefined ? app.scopes : scopesIn(scope, app.scopes)
  if (scopes.length === 0) throw new Refusal('invalid_scope', 'Name at least one scope.')
  return { scopes, challenge, thumbprint }
}

function challengeOf(app: App, said: Parameters): string | null {
  const [challenge, method] = [said.get('code_challenge'), said.get('code_challenge_method')]
  if (challenge === undefined) {
    if (method !== undefined) throw invalidRequest('The parameter code_challenge is missing.')
    if (app.secretHash === null) throw invalidRequest('An app without a secret proves itself with PKCE: code_challenge is missing.')
    return null
  }
  if (method !== 'S256') throw invalidRequest('The code_challenge_method is S256.')
  if (!CHALLENGE.test(challenge)) throw invalidRequest('code_challenge is not the SHA-256 of a verifier in base64url.')
  return challenge
}

/** Where the person's browser goes, with the answer and who gives it (RFC 9207). */
export function addressBack({ redirectUri, state }: Back, issuer: string, answer: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
