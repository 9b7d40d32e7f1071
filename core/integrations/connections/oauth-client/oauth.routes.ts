import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { serverAddress } from '../../../http/address/server-address.ts'
import { ownerOf } from '../../../http/auth/principal.ts'
import { redirectTo } from '../../../http/pages/notice-page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, exact, Id, Maybe, Nullable, WebPage } from '../../../http/schema.ts'
import { invariant } from '../../../lib/invariant.ts'
import { chooseConnection } from '../choose-connection.ts'
import { ConnectionChoice, Integration } from '../connections.model.ts'
import { findConnection } from '../connections.queries.ts'
import { presentIntegration } from '../present.ts'
import { findOrCreateConnectionToSignIn } from './connection-to-sign-in.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { returnUrlWithOutcome, signInResultPage } from './result-page.ts'
import { signOut } from './sign-out.ts'
import { startSignIn } from './start-sign-in.ts'

const describe = tagOperations('Integrations')
const ByKey = T.Object({ storeId: Id, key: T.String({ maxLength: 60 }) })
const CALLBACK = '/v1/integrations/oauth/callback'

const SignInStart = exact({
  returnTo: Maybe(WebPage('the page that the browser is sent to afterwards, with the outcome')),
})
/** Query parameters of the callback. Providers add parameters of their own. */
const CallbackQuery = T.Object(
  {
    state: Maybe(T.String({ maxLength: 2000 })),
    code: Maybe(T.String({ maxLength: 8000 })),
    error: Maybe(T.String({ maxLength: 2000, description: 'why the provider returned no code' })),
  },
  { additionalProperties: true },
)

/** Routes of sign-ins at providers, for adapters with `oauth`. */
export const oauthClientRoutes = (context: Context) =>
  new Elysia({ name: 'sign-in-elsewhere' })
    .use(context.authority)
    .post(
      '/v1/stores/:storeId/integrations/:key/oauth/start',
      async ({ store, caller, params, query, body }) => {
        const row = await findOrCreateConnectionToSignIn(context, store.id, params.key, query)
        const begun = { begunBy: ownerOf(caller), redirectUri: serverAddress(context) + CALLBACK, returnTo: body?.returnTo ?? null }
        return { data: { url: await startSignIn(context, row, begun) } }
      },
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: ConnectionChoice,
        body: T.Optional(Nullable(SignInStart)),
        response: Data(T.Object({ url: T.String({ description: "the address that the user's browser must open within ten minutes" }) })),
        detail: describe('Start a sign-in at the provider of a connection', 'startSignIn'),
      },
    )
    .post(
      '/v1/stores/:storeId/integrations/:key/oauth/disconnect',
      async ({ store, params, query }) => {
        const row = await chooseConnection(context, store.id, params.key, query)
        await signOut(context, row)
        return {
          data: presentIntegration(context, invariant(await findConnection(context.sql, row), 'A connection after its sign-out')),
        }
      },
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: ConnectionChoice,
        response: Data(Integration),
        detail: describe('End the sign-in of a connection and revoke its tokens', 'endSignIn'),
      },
    )
    .get(
      CALLBACK,
      async ({ caller, request }) => {
        const finished = await finishSignIn(context, new URL(request.url).searchParams, caller && ownerOf(caller))
        if (finished.returnTo === null) return signInResultPage(finished, request.headers.get('accept-language'))
        return redirectTo(returnUrlWithOutcome(finished.returnTo, finished))
      },
      {
        open: true,
        query: CallbackQuery,
        detail: {
          ...describe('Callback of the provider; the state identifies the sign-in', 'finishSignIn'),
          responses: {
            200: { description: 'The outcome.', content: { 'text/html': { schema: { type: 'string' } } } },
            303: { description: 'Redirect to the page named when the sign-in started.' },
          },
        },
      },
    )
