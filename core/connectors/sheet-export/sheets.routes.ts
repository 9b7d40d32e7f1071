import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { ownerOf } from '../../http/auth/principal.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { Data, Id, Maybe, WebPage } from '../../http/schema.ts'
import { finishSignIn } from '../../integrations/connections/oauth-client/finish.ts'
import { resultPage, withOutcome } from '../../integrations/connections/oauth-client/result-page.ts'
import { adapterAt, beginSignIn } from './sign-in.ts'

const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const CALLBACK = '/v1/oauth2/:provider/sheets'
const ByProvider = T.Object({ provider: T.String({ minLength: 1, maxLength: 40, description: 'who people sign in at: google' }) })
const Beginning = T.Object({
  storeId: Maybe(Id),
  returnTo: Maybe(WebPage('the page that the browser goes on to, with how it went')),
})
const Returned = T.Object(
  { state: Maybe(T.String({ maxLength: 2000 })), code: Maybe(T.String({ maxLength: 8000 })), error: Maybe(T.String({ maxLength: 2000 })) },
  { additionalProperties: true },
)

/** Signing in where spreadsheets are kept. What is done is what all connections do; the addresses are those of the kind. */
export const sheets = (context: Context) => {
  const routes = new Elysia({ name: 'sheets' }).use(context.authority).get(
    `${CALLBACK}/auth-url`,
    async ({ store, caller, params: { provider }, query: { returnTo = null } }) => {
      const adapter = adapterAt(context, provider)
      const redirectUri = `${serverAddress(context)}/v1/oauth2/${adapter.provider}/sheets`
      return { data: { url: await beginSignIn(context, store.id, adapter, { begunBy: ownerOf(caller), redirectUri, returnTo }) } }
    },
    {
      store: ['admin', 'stores:write'],
      params: ByProvider,
      query: Beginning,
      response: Data(T.Object({ url: T.String({ description: "where the person's browser goes, within ten minutes" }) })),
      detail: {
        tags: ['Spreadsheets'],
        summary: 'Begin to sign in where the spreadsheets of a store are kept; it is connected by that',
        operationId: 'startSheetsSignIn',
      },
    },
  )
  for (const method of METHODS)
    routes.route(
      method,
      CALLBACK,
      async ({ caller, params: { provider }, request }) => {
        adapterAt(context, provider)
        const finished = await finishSignIn(context, new URL(request.url).searchParams, caller && ownerOf(caller))
        if (finished.returnTo === null) return resultPage(finished, request.headers.get('accept-language'))
        return redirectTo(withOutcome(finished.returnTo, finished))
      },
      {
        open: true,
        params: ByProvider,
        query: Returned,
        detail: {
          tags: ['Spreadsheets'],
          summary: 'Where a person comes back to from signing in; the state says who they are',
          operationId: `finishSheetsSignIn.${method}`,
          responses: {
            200: { description: 'How it went.', content: { 'text/html': { schema: { type: 'string' } } } },
            303: { description: 'On to the page that was named.' },
          },
        },
      },
    )
  return routes
}
