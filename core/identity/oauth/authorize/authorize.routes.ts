import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { toOpenApi30 } from '../../../http/openapi/to-openapi30.ts'
import { authorizeParameters, PAGE_FORM } from '../openapi-forms.ts'
import { failureResponse, handleAuthorizeForm, showAuthorizePage } from './authorize.ts'
import { ConsentDecision, ConsentResponse, submitConsent } from './consent-api.ts'
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_PATH } from './passkey-script.ts'

const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const responses = {
  200: { description: 'A page to sign in, or to allow or deny the app.', content: HTML },
  303: { description: 'Redirects to the app with the result, or to the page.' },
}
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
}
const DESCRIPTION =
  'For browsers, with client_id, redirect_uri, response_type=code, scope, state, code_challenge and code_challenge_method=S256 in the address, or ' +
  'client_id and the request_uri of a pushed request. An unknown app or redirect_uri is reported on a page, without a redirect.'

const describe = (summary: string, operationId: string) => ({
  tags: ['OAuth'],
  summary,
  operationId,
  description: DESCRIPTION,
  parameters: authorizeParameters,
  responses,
})

/** Pages on which users sign in and decide if an app may act for them. */
export function authorizePages(context: Context) {
  const app = new Elysia({ name: 'oauth-pages' }).use(context.auth)
  for (const { prefix, suffix } of [
    { prefix: '/oauth', suffix: '' },
    { prefix: '/v1/oauth', suffix: 'V1' },
  ]) {
    app
      .get(
        `${prefix}/authorize`,
        ({ request, address, refused }) =>
          refused ? failureResponse(context, request, refused) : showAuthorizePage(context, request, address),
        {
          open: 'page',
          detail: describe('Show the consent page, or the sign-in page first', `oauthAuthorize${suffix}`),
        },
      )
      .post(
        `${prefix}/authorize`,
        ({ request, address, caller, refused }) =>
          refused ? failureResponse(context, request, refused) : submitDecision(context, request, address, caller),
        {
          open: 'page',
          detail: {
            ...describe('Submit the decision of the user: the form of the page, or JSON with a session token', `oauthDecide${suffix}`),
            responses: {
              ...responses,
              200: { ...responses[200], content: { ...HTML, 'application/json': { schema: ConsentResponse as object } } },
            },
            requestBody: {
              required: true,
              content: {
                'application/x-www-form-urlencoded': { schema: PAGE_FORM },
                'application/json': { schema: toOpenApi30(ConsentDecision) as object },
              },
            },
          },
        },
      )
  }
  return app.get(PASSKEY_SCRIPT_PATH, () => new Response(PASSKEY_SCRIPT, { headers: SCRIPT_HEADERS }), {
    open: true,
    detail: { hide: true },
  })
}

function submitDecision(context: Context, request: Request, address: string, caller: Principal | null): Promise<Response> {
  const person = caller?.app ? null : caller?.person
  return caller && person
    ? submitConsent(context, request, person, caller.credentialId, address)
    : handleAuthorizeForm(context, request, address)
}
