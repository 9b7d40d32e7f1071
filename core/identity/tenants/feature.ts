import { feature } from '../../feature.ts'
import { keyUseSubscribers } from './keys/keys.ts'
import { ownerSubscribers } from './owners.ts'
import { projects } from './projects.routes.ts'
import { enqueueDueRemovals, removeTenant } from './removal/removal.ts'
import { tenants } from './tenants.routes.ts'

export default feature('tenants', {
  routes: [tenants, projects],
  jobs: {
    'tenants.removeDue': { schedule: '17 * * * *', work: enqueueDueRemovals },
    'tenants.remove': { work: (context, { tenantId }, signal) => removeTenant(context, tenantId, signal) },
  },
  subscribers: { ...keyUseSubscribers, ...ownerSubscribers },
})
