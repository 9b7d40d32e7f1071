import { feature } from '../../feature.ts'
import { keyUseSubscribers } from './keys/keys.ts'
import { setDefaultLimits } from './limits.ts'
import { ownerSubscribers } from './owners.ts'
import { projects } from './projects.routes.ts'
import { enqueueDueRemovals, removeTenant } from './removal/removal.ts'
import { tenants } from './tenants.routes.ts'

export default feature('projects', {
  async setup({ config }) {
    setDefaultLimits(config.tenantLimits)
    return { services: {} }
  },
  routes: [tenants, projects],
  jobs: {
    'tenants.removeDue': { schedule: '17 * * * *', work: enqueueDueRemovals },
    'tenants.remove': { work: (context, { tenantId }, signal) => removeTenant(context, tenantId, signal) },
  },
  subscribers: { ...keyUseSubscribers, ...ownerSubscribers },
})
