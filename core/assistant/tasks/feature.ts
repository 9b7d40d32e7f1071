import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfProject } from '../../platform/webhooks/events.ts'
import { deleteExpiredTaskContents } from './delete-expired.ts'
import { runTask } from './run/run-task.ts'
import { TaskSummary } from './tasks.model.ts'
import { aiAccounts, aiTasks } from './tasks.routes.ts'

const event = eventOfProject('ai')
const events = {
  'ai.task.completed': event('The model finished; read the result with the task', { task: TaskSummary }),
  'ai.task.failed': event('The model gave no usable result; `reason` says why', { task: TaskSummary }),
  'ai.task.reconciliation_required': event('Outcome or cost is not known; an administrator checks the provider and settles it', {
    task: TaskSummary,
  }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}
declare module '../../data/jobs.ts' {
  interface Jobs {
    'ai.deleteExpired': Record<string, unknown>
  }
}

/** AI tasks of projects: work for models, paid from a prepaid balance. */
export default feature('tasks', {
  routes: [aiTasks, aiAccounts],
  events,
  jobs: {
    'ai.run': { work: (context, { taskId }, signal) => runTask(context, taskId, signal) },
    'ai.deleteExpired': { schedule: '37 3 * * *', work: (context, _, signal) => deleteExpiredTaskContents(context, signal) },
  },
  triggers: [
    {
      table: 'ai_entries',
      name: 'final',
      before: true,
      on: ['update', 'delete', 'truncate'],
      function: 'cash_refuse_change',
      why: 'Entries of the ledger are never changed or deleted, only undone by others: the database refuses it, whatever code asks.',
    },
  ],
  personalData: [
    eraseBySearch({
      table: 'ai_tasks',
      owner: 'project',
      key: ['id'],
      columns: { input: 'json', result: 'json', metadata: 'json', message: 'text' },
      created: 'created_at',
    }),
  ],
})
