/** What of a store is written down when somebody changes it, and which fields of it: no other is ever kept, so that no secret is. */
export const changes = {
  'store.owner_changed': ['ownerId'],
  'member.added': ['role', 'permissions'],
  'member.role_changed': ['role', 'permissions'],
  'member.removed': ['role', 'permissions'],
  'invitation.created': ['email', 'role', 'permissions', 'expiresAt'],
  'invitation.withdrawn': ['email', 'role'],
  'invitation.accepted': ['email', 'role'],
  'invitation.declined': ['email', 'role'],
  'key.created': ['name', 'scopes', 'last4', 'expiresAt'],
  'key.revoked': [],
  'connection.connected': ['key', 'kind', 'name', 'enabled'],
  'connector.configured': ['spreadsheetId', 'tabId', 'pageId', 'forms'],
  'connection.changed': ['name', 'enabled', 'credentials', 'settings'],
  'connection.disconnected': ['key', 'kind', 'name'],
  'product.price_changed': ['price', 'compareAtPrice', 'cost', 'variants'],
  'subscription.changed': ['plan', 'status', 'periodEnd', 'nextPlan', 'cancels'],
  'order.status_changed': ['status'],
  'order.assigned': ['assignedTo'],
  'block.added': ['kind', 'value', 'reason', 'expiresAt'],
  'block.changed': ['reason', 'expiresAt'],
  'block.removed': ['kind', 'value', 'reason'],
  'domain.added': ['host', 'state'],
  'domain.state_changed': ['state'],
  'domain.removed': ['host', 'state'],
  'mcp_server.added': ['name', 'url', 'auth', 'enabled'],
  'mcp_server.changed': ['name', 'url', 'auth', 'enabled'],
  'mcp_server.removed': ['name', 'url'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Change = keyof typeof changes
export const changeNames = Object.keys(changes) as Change[]
