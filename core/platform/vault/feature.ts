import { feature } from '../../feature.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { openDatabaseVault } from './open.ts'
import { resealAll } from './reseal.ts'

declare module '../../context.ts' {
  interface Services {
    readonly vault: Vault
  }
}

/** Vault feature: encryption of stored secrets. */
export default feature('vault', {
  setup: async ({ sql, config, log }) => ({ services: { vault: await openDatabaseVault(sql, config, log) } }),
  jobs: { 'vault.reseal': { work: (context, _, signal) => resealAll(context, signal) } },
})
