import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { assertRate } from '../../../http/concurrency.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { ProxyAnswer, ProxyHosts, ProxyHostsFields, ProxyRequest } from './proxy.model.ts'
import { findHosts } from './proxy.queries.ts'
import { allowHosts, sendProxyRequest } from './proxy.ts'

const describe = tagOperations('Actions')
const ByStore = T.Object({ storeId: Id })
/** Proxied requests of one store in a minute. */
const PER_MINUTE = 120

/** Routes for the allowed hosts of a store and for proxied requests. */
export const proxy = (context: Context) =>
  new Elysia({ name: 'proxy actions' })
    .use(context.authority)
    .get('/v1/stores/:storeId/proxy-hosts', async ({ store }) => ({ data: await findHosts(context.sql, store.projectId) }), {
      store: ['admin', 'stores:read'],
      params: ByStore,
      response: Data(ProxyHosts),
      detail: describe('List the hosts that may be called through the proxy', 'readProxyHosts'),
    })
    .put('/v1/stores/:storeId/proxy-hosts', async ({ store, body }) => ({ data: await allowHosts(context, store.id, body.hosts) }), {
      member: 'owner',
      params: ByStore,
      body: ProxyHostsFields,
      response: Data(ProxyHosts),
      detail: describe('Set the hosts that may be called through the proxy, as the owner', 'writeProxyHosts'),
    })
    .post(
      '/v1/actions/proxy',
      async ({ store, body, request }) => {
        await assertRate(context, `proxy:${store.id}`, PER_MINUTE)
        return { data: await sendProxyRequest(context, store.id, body, request.signal) }
      },
      {
        store: ['admin', 'stores:write'],
        body: ProxyRequest,
        response: Data(ProxyAnswer),
        detail: describe('Call a host that the owner of the store has listed, without any credential', 'proxy'),
      },
    )
