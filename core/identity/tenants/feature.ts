import { feature } from '../../feature.ts'
import { noteUse } from './keys/keys.ts'
import { letTenantsHave } from './limits.ts'
import { followOwners } from './owners.ts'
import { projects } from './projects.routes.ts'
import { removeDue, removeTenant } from './removal/removal.ts'
import { tenants } from './tenants.routes.ts'

export default feature('projects', {
  async setup({ config }) {
    letTenantsHave(config.tenantLimits)
    return { services: {} }
  },
  routes: [tenants, projects],
  jobs: {
    'tenants.removeDue': { at: '17 * * * *', work: removeDue },
    'tenants.remove': { work: (context, { tenantId }, signal) => removeTenant(context, tenantId, signal) },
  },
  subscribers: { ...noteUse, ...followOwners },
})
