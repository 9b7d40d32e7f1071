/** Scopes of API keys and app tokens. */
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
/** Scope of an API key or an app token. */
export type Scope = (typeof scopes)[number]

/** Scopes that reach beyond the key's project, to its whole tenant. */
export const tenantWideScopes: readonly Scope[] = ['tenants:manage']

/** Products that a project can enable. */
export const products = ['parcels', 'inventory', 'geo', 'ai', 'webhooks'] as const
/** Product that a project can enable. */
export type Product = (typeof products)[number]
/** Products that a new project starts with. */
export const productsOfNewProject: readonly Product[] = ['parcels', 'inventory', 'geo', 'webhooks']

/** Returns the product of a scope, by the scope's first word. Undefined for scopes that need no product. */
export const productOf = (scope: Scope): Product | undefined => {
  const word = scope.split(':')[0]
  return products.find((product) => product === word)
}

/** Roles in a store, from the least to the most powerful. */
export const roles = ['viewer', 'agent', 'admin', 'owner'] as const
/** Role in a store. */
export type Role = (typeof roles)[number]
/** Returns true if a role includes another. Each role includes all roles before it. */
export const isRoleAtLeast = (role: Role, needed: Role) => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Permissions that a store member can be given one by one. They then limit what the member's role allows. Some share the names of scopes,
 * which API keys have too; the others are for people only.
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
  'inventory:read',
  'inventory:write',
  'geo:read',
  'geo:resolve',
  'ai:read',
  'ai:generate',
  'webhooks:manage',
  'members:read',
  'members:manage',
  'cash:read',
  'cash:write',
  'figures:read',
  'audit:read',
] as const
/** Permission of a store member. */
export type Permission = (typeof permissions)[number]

/**
 * Role needed in a store and, for members with individual permissions, the permission. Without a permission, members with restricted
 * permissions are refused.
 */
export type StoreRight = readonly [role: Role, permission?: Permission | Scope]

/**
 * Need of a route besides a role: the scope of an API key, which is also the permission of a restricted member, or a scope and a
 * permission of its own.
 */
export type Needs = Scope | { readonly scope: Scope; readonly permission: Permission }

/** Needs of routes about cash and figures: keys need a scope that they had before, and restricted members a permission of its own. */
export const sensitiveNeeds = {
  readParcelCash: { scope: 'parcels:read', permission: 'cash:read' },
  writeParcelCash: { scope: 'parcels:write', permission: 'cash:write' },
  readPayouts: { scope: 'orders:read', permission: 'cash:read' },
  writePayouts: { scope: 'orders:write', permission: 'cash:write' },
  readFigures: { scope: 'orders:read', permission: 'figures:read' },
} as const satisfies Readonly<Record<string, Needs>>

/** Returns the scope that an API key needs. */
export const scopeOf = (needs: Needs): Scope => (typeof needs === 'string' ? needs : needs.scope)
/** Returns the permission that a restricted member needs. */
export const permissionOf = (needs: Needs): Permission | Scope => (typeof needs === 'string' ? needs : needs.permission)
