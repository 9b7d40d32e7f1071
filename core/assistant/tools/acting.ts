import type { Principal } from '../../http/auth/principal.ts'

/** Somebody whom the assistant works for while he may be gone: himself, with the rights that he has in the store at that moment. */
export const actingFor = (userId: string): Principal => ({
  credentialId: `chat ${userId}`,
  person: { id: userId, isAdmin: false },
  project: null,
  scopes: null,
  personId: userId,
})
