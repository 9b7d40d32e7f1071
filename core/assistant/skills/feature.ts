import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteSkillsOf, deleteSkillsOfPerson } from './skills.queries.ts'
import { skills } from './skills.routes.ts'

/** Skills (SKILL.md) that the assistant loads on demand, with versions and a marketplace. */
export default feature('skills', {
  routes: [skills],
  subscribers: {
    async 'store.leaving'(tx, { store }) {
      await deleteSkillsOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteSkillsOfPerson(tx, userId)
    },
  },
  personalData: [
    searched({ table: 'chat_skills', owner: 'store', key: ['id'], columns: { name: 'text', description: 'text' } }),
    searched({
      table: 'chat_skill_versions',
      owner: 'store',
      key: ['skill_id', 'version:integer'],
      columns: { name: 'text', description: 'text', content: 'text', files: 'json' },
      created: 'created_at',
    }),
  ],
})
