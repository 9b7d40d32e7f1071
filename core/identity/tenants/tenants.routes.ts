import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, idOf } from '../../http/auth/auth.ts'
import { createOnce } from '../../http/idempotency.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import { list } from '../../http/resource/list.ts'
import { Data, List } from '../../http/schema.ts'
import { NewTenant, Tenant, TenantChange, TenantId, TenantInFull, type TenantRole, tenantList } from './tenants.model.ts'
import { listTenants } from './tenants.queries.ts'
import { askingOf, changeTenant, createTenant, deleteTenant, inFull, openTenant, present, seenBy } from './tenants.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Tenants'], summary, operationId })
const ById = T.Object({ id: TenantId })

/** Routes for tenants, for their members and for keys with `tenants:manage`. Platform administrators see all tenants. */
export const tenants = (context: Context) =>
  new Elysia({ name: 'tenants', prefix: '/v1/tenants' })
    .use(context.auth)
    .macro('tenant', (role: TenantRole) => ({
      access: 'tenants:manage' as const,
      resolve: async (route: object) => ({ tenant: await openTenant(context, callerOf(route), idOf(route), role) }),
      detail: { 'x-role': `${role} of the tenant` } as Authority,
    }))
    .macro('tenantOfUser', (role: TenantRole) => ({
      user: true as const,
      resolve: async (route: object) => ({ tenant: await openTenant(context, callerOf(route), idOf(route), role) }),
      detail: { 'x-role': `${role} of the tenant` } as Authority,
    }))
    .get(
      '',
      async ({ caller, query }) => {
        const found = await list(
          context.sql,
          tenantList,
          query,
          (sql, asked) => listTenants(sql, askingOf(caller), seenBy(caller), asked),
          ({ id }) => String(id),
        )
        return { ...found, data: found.data.map(present) }
      },
      {
        access: 'tenants:manage',
        query: tenantList.query,
        response: List(Tenant),
        detail: describe('List the tenants that you belong to; with an API key, its own tenant', 'listTenants'),
      },
    )
    .post(
      '',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await createTenant(tx, creation.caller, creation.body) })),
      {
        access: 'tenants:manage',
        body: NewTenant,
        response: { 201: Data(TenantInFull) },
        detail: describe('Create a tenant; you are its owner', 'createTenant'),
      },
    )
    .get('/:id', async ({ tenant }) => ({ data: await inFull(context, tenant) }), {
      tenant: 'member',
      params: ById,
      response: Data(TenantInFull),
      detail: describe('Read a tenant, with its people and its limits', 'readTenant'),
    })
    .patch('/:id', async ({ caller, tenant, body }) => ({ data: await changeTenant(context, caller, tenant.id, body) }), {
      tenant: 'admin',
      params: ById,
      body: TenantChange,
      response: Data(TenantInFull),
      detail: describe('Change the name, members or limits of a tenant, or cancel its deletion', 'changeTenant'),
    })
    .delete(
      '/:id',
      async ({ caller, tenant, set }) => {
        set.status = 202
        return { data: await deleteTenant(context, caller, tenant.id) }
      },
      {
        tenantOfUser: 'owner',
        params: ById,
        response: { 202: Data(TenantInFull) },
        detail: describe(
          'Delete a tenant: its keys and tokens stop working at once. After 30 days, in which the deletion can be cancelled, all its data is removed. Refused while parcels or money are in transit',
          'deleteTenant',
        ),
      },
    )
