import { feature } from '../../feature.ts'
import { deleteSkillsOf, deleteSkillsOfPerson } from './skills.queries.ts'
import { skills } from './skills.routes.ts'

/** What assistants can learn when they need it (SKILL.md). */
export default feature('skills', {
  routes: [skills],
  follows: {
    async 'store.leaving'(tx, { store }) {
      await deleteSkillsOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteSkillsOfPerson(tx, userId)
    },
  },
})
