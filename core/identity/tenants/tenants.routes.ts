import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { createOnce } from '../../http/idempotency.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, List } from '../../http/schema.ts'
import { NewTenant, Tenant, TenantChange, TenantDetail, TenantId, type TenantRole, tenantList } from './tenants.model.ts'
import { listTenants } from './tenants.queries.ts'
import {
  callerUserId,
  changeTenant,
  createTenant,
  deleteTenant,
  presentTenant,
  presentTenantDetail,
  requireTenant,
  tenantScopeOf,
} from './tenants.ts'

const describe = tagOperations('Tenants')
const ById = T.Object({ id: TenantId })

/** Routes for tenants, for their members and for keys with `tenants:manage`. Platform administrators see all tenants. */
export const tenants = (context: Context) =>
  new Elysia({ name: 'tenants', prefix: '/v1/tenants' })
    .use(context.auth)
    .macro('tenant', (role: TenantRole) => ({
      access: 'tenants:manage' as const,
      resolve: async (route: object) => ({ tenant: await requireTenant(context, callerOf(route), pathIdOf(route), role) }),
      detail: { 'x-role': `${role} of the tenant` } as OperationAccess,
    }))
    .macro('tenantOfUser', (role: TenantRole) => ({
      user: true as const,
      resolve: async (route: object) => ({ tenant: await requireTenant(context, callerOf(route), pathIdOf(route), role) }),
      detail: { 'x-role': `${role} of the tenant` } as OperationAccess,
    }))
    .get(
      '',
      async ({ caller, query }) => {
        const found = await readList(
          context.sql,
          tenantList,
          query,
          (sql, asked) => listTenants(sql, callerUserId(caller), tenantScopeOf(caller), asked),
          ({ id }) => String(id),
        )
        return { ...found, data: found.data.map((tenant) => presentTenant(context, tenant)) }
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
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await createTenant(context, tx, creation.caller, creation.body) })),
      {
        access: 'tenants:manage',
        body: NewTenant,
        response: { 201: Data(TenantDetail) },
        detail: describe('Create a tenant; you are its owner', 'createTenant'),
      },
    )
    .get('/:id', async ({ tenant }) => ({ data: await presentTenantDetail(context, tenant) }), {
      tenant: 'member',
      params: ById,
      response: Data(TenantDetail),
      detail: describe('Read a tenant, with its people and its limits', 'readTenant'),
    })
    .patch('/:id', async ({ caller, tenant, body }) => ({ data: await changeTenant(context, caller, tenant.id, body) }), {
      tenant: 'admin',
      params: ById,
      body: TenantChange,
      response: Data(TenantDetail),
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
        response: { 202: Data(TenantDetail) },
        detail: describe(
          'Delete a tenant: its keys and tokens stop working at once. After 30 days, in which the deletion can be cancelled, all its data is removed. Refused while parcels or money are in transit',
          'deleteTenant',
        ),
      },
    )
