// When news of a parcel is asked for next is kept with it; who asks takes them from here.
export { claimDue, type DueParcel, listDueConnections, readWatched, setPolls, type Watched } from './poll.queries.ts'
