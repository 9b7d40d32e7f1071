import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { Data, Id } from '../../http/schema.ts'
import { DnsCheck, Domain, NewDomain, Verification } from './domains.model.ts'
import { addDomain, checkDns, readDomain, readVerification, removeDomain, verify } from './domains.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Stores'], summary, operationId })
const params = T.Object({ storeId: Id })

/** The domain of a store. */
export const domains = (context: Context) =>
  new Elysia({ name: 'domains', prefix: '/v1/stores/:storeId/domain' })
    .use(context.authority)
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await addDomain(context, tx, creation.store, creation.body.host) })),
      {
        store: ['admin', 'stores:write'],
        params,
        body: NewDomain,
        response: { 201: Data(Domain) },
        detail: describe('Name the domain of a store, and hear what to write into its DNS', 'addDomain'),
      },
    )
    .delete(
      '',
      async ({ store, set }) => {
        await removeDomain(context, store)
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params,
        response: { 204: T.Void() },
        detail: describe('Take the domain of a store away', 'removeDomain'),
      },
    )
    .get('/status', async ({ store }) => ({ data: await readDomain(context, store) }), {
      store: ['viewer', 'stores:read'],
      params,
      response: Data(Domain),
      detail: describe('How the domain of a store stands', 'readDomain'),
    })
    .get('/verification-check', async ({ store }) => ({ data: await readVerification(context, store) }), {
      store: ['viewer', 'stores:read'],
      params,
      response: Data(Verification),
      detail: describe('Whether the domain was proven, as of the last look', 'readDomainVerification'),
    })
    .post('/check-dns', async ({ store }) => ({ data: await checkDns(context, store) }), {
      store: ['admin', 'stores:write'],
      params,
      response: Data(DnsCheck),
      detail: describe('Ask the DNS now, and change nothing', 'checkDomainDns'),
    })
    .post('/verify', async ({ store }) => ({ data: await verify(context, store) }), {
      store: ['admin', 'stores:write'],
      params,
      response: Data(Domain),
      detail: describe('Ask the DNS now, and go on from there, also with a domain that was given up', 'verifyDomain'),
    })

/** For the web server before us, which gets certificates when somebody comes (Caddy: `on_demand_tls { ask … }`). */
export const asking = (context: Context) =>
  new Elysia({ name: 'domain asking', prefix: '/v1/domains' }).use(context.auth).get(
    '/ask',
    async ({ query, request, address }) => {
      await context.doorkeeper.assertOurs(query.domain, { address, headers: request.headers, token: query.token })
      return { data: { domain: query.domain } }
    },
    {
      client: true,
      query: T.Object({ domain: T.String({ minLength: 1, maxLength: 253 }), token: T.Optional(T.String({ maxLength: 200 })) }),
      response: Data(T.Object({ domain: T.String() })),
      detail: describe('Whether a certificate may be had for a domain: 200 if a store has proven it, 404 if not', 'askDomain'),
    },
  )
