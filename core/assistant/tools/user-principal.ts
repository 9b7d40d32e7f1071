import type { Principal } from '../../http/auth/principal.ts'

/** Principal of the user for whom the assistant works, who may be offline. Their store rights are checked at the moment of each call. */
export const principalOfUser = (userId: string): Principal => ({
  credentialId: `chat ${userId}`,
  person: { id: userId, isAdmin: false },
  project: null,
  scopes: null,
  personId: userId,
})
