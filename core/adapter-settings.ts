import { join } from 'node:path'
import { INSTALLED } from '../plugins/host/discover.ts'
import type { Config } from './config.ts'

const ADAPTERS = join(import.meta.dir, '../adapters')

/** Where adapters are looked for and how they run: what the server and the `adapter` commands have in common. */
export function adapterSettings(config: Config) {
  const folder = join(config.dataDir, 'adapters')
  const { enabledAdapters: enabled, adapterIsolation: isolation, adapterApproval: approval } = config
  return {
    shelf: {
      own: [ADAPTERS],
      others: [...config.adapterDirs, join(folder, INSTALLED)],
      enabled,
      isolation,
      approval,
      kept: join(folder, 'own-bundles.json'),
    },
    options: { folder, processes: config.sandboxProcesses, memoryMb: config.sandboxMemoryMb, lookMs: config.sandboxLookMs },
  }
}
