import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { DpopError } from '../../http/auth/dpop.ts'
import { scopes } from '../../http/auth/scopes.ts'
import type { App } from '../apps/client.ts'
import { dpopAlgorithms, verifyProof } from '../auth/credentials/dpop.ts'
import { dpopNonces } from '../auth/credentials/dpop-nonces.ts'
import { buildAuthorizationRequest, RedirectRefusal } from './authorize/authorization.ts'
import { pushAuthorizationRequest } from './authorize/consent.ts'
import { type FormParameters, readOAuthForm, requireParameter } from './authorize/form.ts'
import { clientAuthenticator, type OAuthClient } from './client.ts'
import {
  AuthorizationServerMetadata,
  describeProtocolEndpoint,
  describeRegistration,
  Introspection,
  PushedRequest,
  TokenResponse,
} from './oauth.model.ts'
import { INTROSPECT_FORM, PUSH_FORM, REVOKE_FORM, TOKEN_FORM } from './openapi-forms.ts'
import { invalidRequest, Refusal } from './refusal.ts'
import { registerClient } from './registration.ts'
import { oauthResponse } from './response.ts'
import { exchangeCode } from './tokens/exchange.ts'
import { introspectToken, revokeToken } from './tokens/introspect.ts'
import { refreshTokens } from './tokens/refresh.ts'

/** OAuth endpoints for apps (RFC 6749, 7009, 7662, 8414, 9126, 9449), under `/oauth` and `/v1/oauth`. */
export function oauthServer(context: Context) {
  const authenticateClient = clientAuthenticator(context)
  const withClient = (
    request: Request,
    address: string,
    work: (client: OAuthClient, form: FormParameters) => Promise<object>,
    status = 200,
  ) => {
    const headers: Record<string, string> = {}
    return oauthResponse(
      context.log,
      async () => {
        const form = await readOAuthForm(request)
        const client = await authenticateClient(request, form, address, headers)
        if (client.app.dpopNonces) headers['dpop-nonce'] = dpopNonces(context.vault).fresh()
        return work(client, form)
      },
      { status, headers },
    )
  }
  const app = new Elysia({ name: 'oauth' }).use(context.auth)
  for (const { prefix, suffix } of [
    { prefix: '/oauth', suffix: '' },
    { prefix: '/v1/oauth', suffix: 'V1' },
  ]) {
    app
      .post(
        `${prefix}/token`,
        ({ request, address }) => withClient(request, address, (client, form) => issueTokens(context, request, client, form)),
        {
          client: true,
          detail: describeProtocolEndpoint(
            `Exchange a code or a refresh token for tokens`,
            `oauthToken${suffix}`,
            TOKEN_FORM,
            TokenResponse,
          ),
        },
      )
      .post(
        `${prefix}/revoke`,
        ({ request, address }) => withClient(request, address, (client, form) => revokeToken(context, client, form)),
        {
          client: true,
          detail: describeProtocolEndpoint('Revoke a token (RFC 7009)', `oauthRevoke${suffix}`, REVOKE_FORM, T.Object({})),
        },
      )
      .post(
        `${prefix}/introspect`,
        ({ request, address }) =>
          withClient(request, address, (client, form) => introspectToken(context, client, form, serverAddressFor(context, request))),
        {
          client: true,
          detail: describeProtocolEndpoint('Introspect a token (RFC 7662)', `oauthIntrospect${suffix}`, INTROSPECT_FORM, Introspection),
        },
      )
      .post(
        `${prefix}/par`,
        ({ request, address }) => withClient(request, address, (client, form) => push(context, request, client, form), 201),
        {
          client: true,
          detail: describeProtocolEndpoint('Push an authorization request (RFC 9126)', `oauthPush${suffix}`, PUSH_FORM, PushedRequest, 201),
        },
      )
      .post(
        `${prefix}/register`,
        ({ request, address }) => oauthResponse(context.log, () => registerClient(context, request, address), { status: 201 }),
        { client: true, detail: describeRegistration(`oauthRegister${suffix}`) },
      )
    for (const name of ['token', 'revoke', 'introspect', 'par', 'register'])
      app.all(`${prefix}/${name}`, () => methodNotAllowed(context), { client: true, detail: { hide: true } })
  }
  return app.get('/.well-known/oauth-authorization-server', ({ request }) => metadata(serverAddressFor(context, request)), {
    open: true,
    response: AuthorizationServerMetadata,
    detail: { tags: ['OAuth'], summary: 'Read the metadata of the authorization server (RFC 8414)', operationId: 'oauthMetadata' },
  })
}

async function issueTokens(context: Context, request: Request, client: OAuthClient, form: FormParameters): Promise<object> {
  const grant = requireParameter(form, 'grant_type')
  const work = grant === 'authorization_code' ? exchangeCode : grant === 'refresh_token' ? refreshTokens : null
  if (!work) throw new Refusal('unsupported_grant_type', 'The grant_type must be authorization_code or refresh_token.')
  return work(context, client, form, await requireBoundKey(context, request, client))
}

/**
 * Returns the thumbprint of the key that a request proves. Returns null without a proof; throws `invalid_dpop_proof` when the app requires
 * one.
 */
async function requireBoundKey(context: Context, request: Request, { app }: OAuthClient): Promise<string | null> {
  const thumbprint = await verifyProofHeader(context, request, app)
  if (thumbprint === null && app.boundTokensOnly)
    throw new Refusal('invalid_dpop_proof', 'This app must prove a key (RFC 9449): the header DPoP is missing.')
  return thumbprint
}

/**
 * Verifies the DPoP header. Returns null when there is none. Throws `invalid_dpop_proof`, and `use_dpop_nonce` when a required nonce is
 * missing.
 */
async function verifyProofHeader(context: Context, request: Request, app: App): Promise<string | null> {
  const proof = request.headers.get('dpop')
  if (proof === null) return null
  if (app.dpopNonces && !dpopNonces(context.vault).isIn(proof))
    throw new Refusal('use_dpop_nonce', 'Make a new proof that contains the nonce of the header DPoP-Nonce.')
  const address = serverAddressFor(context, request) + new URL(request.url).pathname
  return verifyProof(context.shared, proof, { method: request.method, address }).catch((error: unknown) => {
    throw error instanceof DpopError ? new Refusal('invalid_dpop_proof', error.message) : error
  })
}

async function push(context: Context, request: Request, client: OAuthClient, form: FormParameters): Promise<object> {
  if (form.has('request_uri')) throw invalidRequest('A pushed request must not contain request_uri.')
  const bound = withKey(form, await verifyProofHeader(context, request, client.app))
  try {
    buildAuthorizationRequest(client.app, bound, null)
  } catch (error) {
    throw error instanceof RedirectRefusal ? error.refusal : error
  }
  return pushAuthorizationRequest(context, client, bound)
}

/** Binds the code of a pushed request to the key that the push proves (RFC 9449, section 10.1). */
function withKey(form: FormParameters, thumbprint: string | null): FormParameters {
  if (thumbprint === null) return form
  if ((form.get('dpop_jkt') ?? thumbprint) !== thumbprint) throw invalidRequest('dpop_jkt does not match the key of the header DPoP.')
  return new Map([...form, ['dpop_jkt', thumbprint]])
}

/** Builds the 405 response for methods other than POST. */
const methodNotAllowed = (context: Context) =>
  oauthResponse(context.log, async () => {
    throw new Refusal('invalid_request', 'Use POST.', { status: 405, headers: { allow: 'POST' } })
  })

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  registration_endpoint: `${issuer}/oauth/register`,
  client_id_metadata_document_supported: true,
  scopes_supported: [...scopes],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: clientMethods,
  revocation_endpoint_auth_methods_supported: clientMethods,
  introspection_endpoint_auth_methods_supported: clientMethods.filter((method) => method !== 'none'),
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  dpop_signing_alg_values_supported: dpopAlgorithms,
  ui_locales_supported: ['en', 'fr', 'ar'],
  service_documentation: `${issuer}/openapi`,
})
