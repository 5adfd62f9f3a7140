/**
 * Chooses and carries out the way in which a command is started, from its policy and the features of the machine. Start at
 * {@link dev.execserver.sandbox.plan.LaunchPlanner}, which makes a {@link dev.execserver.sandbox.plan.LaunchPlan} or refuses
 * the policy. Then read {@link dev.execserver.sandbox.plan.SandboxLauncher}, which carries the plan out. A policy is never
 * weakened to fit.
 *
 * <p>File workers plan and launch; virtual threads wait. No locks of its own.
 */
package dev.execserver.sandbox.plan;
