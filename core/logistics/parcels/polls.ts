// Polling queries for the feature that polls carriers.
export { claimDueParcels, type DueParcel, listDueConnections, type PollState, readPollStates, updatePollTimes } from './poll.queries.ts'
