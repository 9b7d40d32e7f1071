export const scopes = [
  'geo:read',
  'geo:resolve',
  'ai:read',
  'ai:generate',
  'tenants:manage',
  'webhooks:manage',
  'inventory:read',
  'inventory:write',
  'parcels:read',
  'parcels:write',
  'stores:read',
  'stores:write',
  'orders:read',
  'orders:write',
  'products:read',
  'products:write',
] as const
export type Scope = (typeof scopes)[number]

/** What a key with one of these may do reaches beyond its project: to all of the tenant. */
export const spanning: readonly Scope[] = ['tenants:manage']

export const products = ['parcels', 'inventory', 'geo', 'ai', 'webhooks'] as const
export type Product = (typeof products)[number]
export const productsOfNewProject: readonly Product[] = ['parcels', 'inventory', 'geo', 'webhooks']

/** Which product a scope belongs to, by its first word. Scopes of family A belong to none. */
export const productOf = (scope: Scope): Product | undefined => {
  const word = scope.split(':')[0]
  return products.find((product) => product === word)
}

export const roles = ['viewer', 'agent', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]
/** Each role may do all that the ones before it may. */
export const atLeast = (role: Role, needed: Role) => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * What a member of a store may be given one by one, and then he may do no more than these of what his role may: by the words of scopes what keys
 * may do too, and by words of their own what people alone do.
 */
export const permissions = [
  'stores:read',
  'stores:write',
  'orders:read',
  'orders:write',
  'products:read',
  'products:write',
  'parcels:read',
  'parcels:write',
  'webhooks:manage',
  'members:read',
  'members:manage',
] as const
export type Permission = (typeof permissions)[number]

/** What one has to be in a store, and to be allowed there. Without a permission only who may do all of his role may. */
export type Right = readonly [role: Role, permission?: Permission | Scope]
