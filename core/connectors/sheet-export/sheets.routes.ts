import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { ownerOf } from '../../http/auth/principal.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { Data, Id, Maybe, WebPage } from '../../http/schema.ts'
import { finishSignIn } from '../../integrations/connections/oauth-client/finish-sign-in.ts'
import { returnUrlWithOutcome, signInResultPage } from '../../integrations/connections/oauth-client/result-page.ts'
import { spreadsheetOfProvider, startSheetsSignIn } from './sign-in.ts'

const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const CALLBACK = '/v1/oauth2/:provider/sheets'
const ByProvider = T.Object({ provider: T.String({ minLength: 1, maxLength: 40, description: 'the provider of the sign-in: google' }) })
const SignInStart = T.Object({
  storeId: Maybe(Id),
  returnTo: Maybe(WebPage('the page that the browser is sent to afterwards, with the outcome')),
})
const CallbackQuery = T.Object(
  { state: Maybe(T.String({ maxLength: 2000 })), code: Maybe(T.String({ maxLength: 8000 })), error: Maybe(T.String({ maxLength: 2000 })) },
  { additionalProperties: true },
)

/** Routes of sign-ins at spreadsheet providers, under addresses of the kind. They work like the sign-ins of all connections. */
export const sheetsSignInRoutes = (context: Context) => {
  const routes = new Elysia({ name: 'sheets' }).use(context.authority).get(
    `${CALLBACK}/auth-url`,
    async ({ store, caller, params: { provider }, query: { returnTo = null } }) => {
      const adapter = spreadsheetOfProvider(context, provider)
      const redirectUri = `${serverAddress(context)}/v1/oauth2/${adapter.provider}/sheets`
      return { data: { url: await startSheetsSignIn(context, store.id, adapter, { begunBy: ownerOf(caller), redirectUri, returnTo }) } }
    },
    {
      store: ['admin', 'stores:write'],
      params: ByProvider,
      query: SignInStart,
      response: Data(T.Object({ url: T.String({ description: "the address that the user's browser must open within ten minutes" }) })),
      detail: {
        tags: ['Spreadsheets'],
        summary: "Start a sign-in at the provider of the store's spreadsheets, which connects the store",
        operationId: 'startSheetsSignIn',
      },
    },
  )
  for (const method of METHODS)
    routes.route(
      method,
      CALLBACK,
      async ({ caller, params: { provider }, request }) => {
        spreadsheetOfProvider(context, provider)
        const finished = await finishSignIn(context, new URL(request.url).searchParams, caller && ownerOf(caller))
        if (finished.returnTo === null) return signInResultPage(finished, request.headers.get('accept-language'))
        return redirectTo(returnUrlWithOutcome(finished.returnTo, finished))
      },
      {
        open: true,
        params: ByProvider,
        query: CallbackQuery,
        detail: {
          tags: ['Spreadsheets'],
          summary: 'Callback of the provider; the state identifies the sign-in',
          operationId: `finishSheetsSignIn.${method}`,
          responses: {
            200: { description: 'The outcome.', content: { 'text/html': { schema: { type: 'string' } } } },
            303: { description: 'Redirect to the page named when the sign-in started.' },
          },
        },
      },
    )
  return routes
}
