import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Pixel } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { ownerOf } from '../../http/auth/principal.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'
import { AdsSignInQuery, PixelListQuery, ProviderParams, RulesRunRequest, RulesRunResult, SignInResultQuery } from './ads.model.ts'
import { runRules } from './run-rules.ts'
import { fetchPixels, finishAdsSignIn, renderSignInResult, startAdsSignIn } from './sign-in.ts'

const describe = tagOperations('Advertising')
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const URL_GIVEN = { type: 'object' as const, required: ['url'], properties: { url: { type: 'string' as const } } }
const ADDRESS = { type: 'object' as const, required: ['data'], properties: { data: URL_GIVEN } }
const wantsJson = ({ headers }: Request) => headers.get('accept')?.includes('application/json') === true
const managed: RequiredAccess = ['admin', 'stores:write']
const page = { 200: { description: 'The outcome.', content: HTML } }

/** Routes that run the store's pixel rules for given orders. */
export const pixelRuleRoutes = (context: Context) =>
  new Elysia({ name: 'pixel rules', prefix: '/v1/actions' })
    .use(context.authority)
    .post('/runPixelStatusRules', async ({ store, body }) => ({ data: await runRules(context, store, body.orderIds) }), {
      store: ['agent', 'orders:write'],
      body: RulesRunRequest,
      response: Data(RulesRunResult),
      detail: describe(
        "Run the store's pixel rules for orders in their present status; each event of an order is sent once",
        'runPixelStatusRules',
      ),
    })

/** Routes of sign-ins at advertising platforms in a browser, and of the pixels of the linked accounts. */
export function adsSignInRoutes(context: Context) {
  const app = new Elysia({ name: 'marketing', prefix: '/v1/social/:provider' })
    .use(context.authority)
    .get(
      '/marketing/redirect',
      async ({ store, caller, params, query, request }) => {
        const url = await startAdsSignIn(context, store, params.provider, { ...query, begunBy: ownerOf(caller) })
        // An app opens the address itself, since a browser would send no credential here.
        return wantsJson(request) ? { data: { url } } : redirectTo(url)
      },
      {
        store: managed,
        params: ProviderParams,
        query: AdsSignInQuery,
        detail: {
          ...describe(
            "Start a sign-in at an advertising platform for the store's connection. Redirects the browser, or answers with the address if the client accepts JSON",
            'beginMarketing',
          ),
          responses: {
            200: { description: 'The address to open.', content: { 'application/json': { schema: ADDRESS } } },
            303: { description: 'Redirect to the platform.' },
          },
        },
      },
    )
    .get('/oauth-result', ({ params, query, request }) => renderSignInResult(context, params.provider, query, request), {
      open: true,
      params: ProviderParams,
      query: SignInResultQuery,
      detail: { ...describe('A page that shows the outcome of a sign-in, read from its address', 'marketingResult'), responses: page },
    })
    .get('/marketing/mobile-result', ({ params, query, request }) => renderSignInResult(context, params.provider, query, request), {
      open: true,
      params: ProviderParams,
      query: SignInResultQuery,
      detail: { ...describe('The same page at the address that an app waits for', 'marketingMobileResult'), responses: page },
    })
    .get(
      '/marketing/pixels',
      async ({ store, params, query }) => ({ data: await fetchPixels(context, store, params.provider, query.accountId) }),
      {
        store: managed,
        params: ProviderParams,
        query: PixelListQuery,
        response: Data(T.Array(Pixel)),
        detail: describe('The pixels of the linked ad accounts of a store, or of one account', 'listPixels'),
      },
    )
  for (const method of METHODS)
    app.route(
      method,
      '/marketing/callback',
      ({ caller, request }) => finishAdsSignIn(context, new URL(request.url).searchParams, caller && ownerOf(caller)),
      {
        open: true,
        params: ProviderParams,
        detail: {
          ...describe('Callback of the platform; the state identifies the sign-in', `marketingCallback.${method}`),
          responses: { ...page, 303: { description: 'Redirect to the page that shows the outcome.' } },
        },
      },
    )
  return app
}
