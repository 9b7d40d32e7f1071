import { feature } from '../../feature.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { vaultOf } from './open.ts'
import { reseal } from './reseal.ts'

declare module '../../context.ts' {
  interface Services {
    readonly vault: Vault
  }
}

/** Vault feature: encryption of stored secrets. */
export default feature('vault', {
  setup: async ({ sql, config, log }) => ({ services: { vault: await vaultOf(sql, config, log) } }),
  jobs: { 'vault.reseal': { work: (context, _, signal) => reseal(context, signal) } },
})
