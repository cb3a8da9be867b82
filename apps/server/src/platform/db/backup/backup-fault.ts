/** Why a backup, a restore or a move was not done, in a sentence for whoever asked for it. */
export class BackupFault extends Error {}
