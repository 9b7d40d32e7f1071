import { feature } from '../../feature.ts'
import { checkDomain } from './check-domain.ts'
import { type Dns, openDns } from './dns.ts'
import { certificateCheck, domains } from './domains.routes.ts'
import { storeSubscriber } from './domains.ts'
import { openProvenHosts, type ProvenHosts } from './proven-hosts.ts'

declare module '../../context.ts' {
  interface Services {
    readonly dns: Dns
    /** Hosts of stores, for certificates and for requests by those hosts. */
    readonly provenHosts: ProvenHosts
  }
}

/** Domains of stores: their proof by DNS, and certificates for them. */
export default feature('domains', {
  setup: async (before) => ({ services: { dns: openDns(before.config.dnsServers), provenHosts: openProvenHosts(before) } }),
  routes: [domains, certificateCheck],
  jobs: {
    'domains.check': {
      async work(context, { domainId }) {
        await checkDomain(context, domainId)
      },
    },
  },
  subscribers: storeSubscriber,
})
