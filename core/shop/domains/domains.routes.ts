import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { DnsCheck, Domain, NewDomain, Verification } from './domains.model.ts'
import { addDomain, checkDns, readDomain, readVerification, removeDomain, verifyDomain } from './domains.ts'

const describe = tagOperations('Stores')
const params = T.Object({ storeId: Id })

/** Routes of the domain of a store. */
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
        detail: describe('Add the domain of a store and get the DNS records to create', 'addDomain'),
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
        detail: describe('Remove the domain of a store', 'removeDomain'),
      },
    )
    .get('/status', async ({ store }) => ({ data: await readDomain(context, store) }), {
      store: ['viewer', 'stores:read'],
      params,
      response: Data(Domain),
      detail: describe('Read the domain of a store', 'readDomain'),
    })
    .get('/verification-check', async ({ store }) => ({ data: await readVerification(context, store) }), {
      store: ['viewer', 'stores:read'],
      params,
      response: Data(Verification),
      detail: describe('Read whether the last check found the proof', 'readDomainVerification'),
    })
    .post('/check-dns', async ({ store }) => ({ data: await checkDns(context, store) }), {
      store: ['admin', 'stores:write'],
      params,
      response: Data(DnsCheck),
      detail: describe('Query the DNS now without changing the domain', 'checkDomainDns'),
    })
    .post('/verify', async ({ store }) => ({ data: await verifyDomain(context, store) }), {
      store: ['admin', 'stores:write'],
      params,
      response: Data(Domain),
      detail: describe('Query the DNS now and update the domain, even a failed one', 'verifyDomain'),
    })

/** Route that tells a web server whether it may obtain a certificate for a domain, such as Caddy with `on_demand_tls { ask … }`. */
export const certificateCheck = (context: Context) =>
  new Elysia({ name: 'domain asking', prefix: '/v1/domains' }).use(context.auth).get(
    '/ask',
    async ({ query, request, address }) => {
      await context.provenHosts.assertCertificateAllowed(query.domain, { address, headers: request.headers, token: query.token })
      return { data: { domain: query.domain } }
    },
    {
      client: true,
      query: T.Object({ domain: T.String({ minLength: 1, maxLength: 253 }), token: T.Optional(T.String({ maxLength: 200 })) }),
      response: Data(T.Object({ domain: T.String() })),
      detail: describe('Check whether a certificate may be issued for a domain: 200 if a store has proven it, 404 if not', 'askDomain'),
    },
  )
