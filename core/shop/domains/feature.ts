import { feature } from '../../feature.ts'
import { type Doorkeeper, openDoorkeeper } from './ask.ts'
import { check } from './check.ts'
import { type Dns, openDns } from './dns.ts'
import { asking, domains } from './domains.routes.ts'
import { leaveWithStore } from './domains.ts'

declare module '../../context.ts' {
  interface Services {
    readonly dns: Dns
    /** Hosts of stores, for certificates and for requests by those hosts. */
    readonly doorkeeper: Doorkeeper
  }
}

/** Domains of stores: their proof by DNS, and certificates for them. */
export default feature('domains', {
  setup: async (before) => ({ services: { dns: openDns(before.config.dnsServers), doorkeeper: openDoorkeeper(before) } }),
  routes: [domains, asking],
  jobs: {
    'domains.look': {
      async work(context, { domainId }) {
        await check(context, domainId)
      },
    },
  },
  subscribers: leaveWithStore,
})
