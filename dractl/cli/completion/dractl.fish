# Completion of dractl for fish, as dractl completion fish prints it.

function __dractl_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

function __dractl_no_command
    test (count (commandline -opc)) -eq 1
end

function __dractl_list
    set -l lead (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
    printf '%s\n' "$lead"$argv
end

function __dractl_words_0
    printf '%s\n' 1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38
end

function __dractl_words_1
    printf '%s\n' CompositePodGroup=true CompositePodGroup=false DRAAdminAccess=true DRAAdminAccess=false DRAConsumableCapacity=true DRAConsumableCapacity=false DRAControlPlaneController=true DRAControlPlaneController=false DRADerivedAttributes=true DRADerivedAttributes=false DRADeviceBindingConditions=true DRADeviceBindingConditions=false DRADeviceCompatibilityGroups=true DRADeviceCompatibilityGroups=false DRADeviceTaintRules=true DRADeviceTaintRules=false DRADeviceTaints=true DRADeviceTaints=false DRAExtendedResource=true DRAExtendedResource=false DRAFractionalCapacityRange=true DRAFractionalCapacityRange=false DRAListTypeAttributes=true DRAListTypeAttributes=false DRANodeAllocatableResources=true DRANodeAllocatableResources=false DRAOptionalNodeOperations=true DRAOptionalNodeOperations=false DRAPartitionableDevices=true DRAPartitionableDevices=false DRAPartitionableDevicesType=true DRAPartitionableDevicesType=false DRAPrioritizedList=true DRAPrioritizedList=false DRAResourceClaimDeviceStatus=true DRAResourceClaimDeviceStatus=false DRAResourceClaimGranularStatusAuthorization=true DRAResourceClaimGranularStatusAuthorization=false DRAResourcePoolStatus=true DRAResourcePoolStatus=false DRASchedulerFilterTimeout=true DRASchedulerFilterTimeout=false DRAWorkloadResourceClaims=true DRAWorkloadResourceClaims=false DeclarativeValidation=true DeclarativeValidation=false DeclarativeValidationBeta=true DeclarativeValidationBeta=false DeclarativeValidationTakeover=true DeclarativeValidationTakeover=false DynamicResourceAllocation=true DynamicResourceAllocation=false GangScheduling=true GangScheduling=false GenericWorkload=true GenericWorkload=false InPlacePodLevelResourcesVerticalScaling=true InPlacePodLevelResourcesVerticalScaling=false InPlacePodVerticalScalingSchedulerPreemption=true InPlacePodVerticalScalingSchedulerPreemption=false KubeletPodResourcesDynamicResources=true KubeletPodResourcesDynamicResources=false NodeDeclaredFeatures=true NodeDeclaredFeatures=false PodGroupPreemptionPolicy=true PodGroupPreemptionPolicy=false PodLevelResources=true PodLevelResources=false ResourceHealthStatus=true ResourceHealthStatus=false ResourceHealthStatusMessage=true ResourceHealthStatusMessage=false SchedulerQueueingHints=true SchedulerQueueingHints=false TopologyAwareWorkloadScheduling=true TopologyAwareWorkloadScheduling=false WorkloadAwarePreemption=true WorkloadAwarePreemption=false WorkloadWithJob=true WorkloadWithJob=false
end

function __dractl_words_2
    printf '%s\n' claim/config-size claim/constraints-size claim/controller claim/derived-total-cost claim/request-duplicate claim/requests-size claim/update-spec template/update-spec request/capacity-key request/capacity-negative request/capacity-size request/class-format request/class-required request/count-all request/count-exact request/derived-expr request/derived-expr-required request/derived-name-duplicate request/derived-name-format request/derived-name-required request/derived-size request/derived-unused request/first-available-size request/mode request/name request/selectors-size request/sub-duplicate request/sub-name request/tol-effect request/tol-key request/tol-operator request/tol-operator-required request/tol-value-equal request/tol-value-exists request/union-both request/union-none constraint/distinct constraint/match constraint/none-any constraint/none-match constraint/requests-duplicate constraint/requests-ref constraint/requests-size config/driver config/opaque-required config/params-object config/params-required config/params-size config/requests-duplicate config/requests-ref config/requests-size cel/compile cel/cost cel/length cel/output cel/required admin/namespace admin/status class/config-size class/extended-name class/selectors-size class/suitable-nodes slice/all-nodes-false slice/counter-set-duplicate slice/counter-sets-size slice/counters-total slice/device-counters-total slice/device-duplicate slice/devices-and-counters slice/devices-size slice/driver slice/driver-upper-case slice/node-name-empty slice/node-name-format slice/node-selection-many slice/node-selection-none slice/node-selector slice/node-selector-one-term slice/partition-type-gate slice/partition-type-missing slice/partition-type-not-string slice/partition-type-unused slice/per-device-false slice/pool-count slice/pool-generation slice/pool-name slice/skip-ops-duplicate slice/skip-ops-enum slice/skip-ops-prepare slice/update-driver slice/update-node-name slice/update-pool-name device/all-nodes-false device/attr-cap-total device/attr-key device/attr-list-empty device/attr-list-string device/attr-list-version device/attr-many device/attr-none device/attr-string-length device/attr-values-total device/attr-version device/attr-version-length device/basic-required device/cap-key device/cap-policy-single device/compat-groups device/consumes-counter-name device/consumes-counter-unknown device/consumes-counters-required device/consumes-counters-size device/consumes-duplicate device/consumes-set-format device/consumes-set-required device/consumes-set-unknown device/consumes-size device/consumes-total device/name device/node-empty device/node-format device/node-selection-many device/node-selection-none device/node-selection-unexpected device/node-selector device/node-selector-one-term device/taint-effect device/taint-effect-required device/taint-key device/taint-value device/taints-size counterset/counter-name counterset/counters-required counterset/counters-size counterset/name-format counterset/name-required ctr/claim-duplicate ctr/claim-name-required ctr/claim-request ctr/claim-unknown ctr/pod-level nar/cap-key-empty nar/cap-key-format nar/cap-key-required nar/cap-key-unknown nar/cap-mult-positive nar/cap-mult-required nar/dev-mult-positive nar/empty nar/key nar/mapping-cap-key-empty nar/mapping-cap-key-unknown nar/mapping-key nar/mapping-multiplier nar/overhead-empty nar/overhead-negative nar/union policy/both policy/default-max policy/default-min policy/default-required policy/max-limit policy/milli policy/min-limit policy/min-max policy/min-required policy/step-crash policy/step-default policy/step-int64 policy/step-limit policy/step-max policy/step-positive policy/values-default policy/values-duplicate policy/values-limit policy/values-size policy/values-sorted binding/duplicate binding/failure-missing binding/failure-size binding/format binding/missing binding/overlap binding/size rule/conditions rule/selector-cel rule/selector-class rule/selector-device rule/selector-driver rule/selector-empty rule/selector-pool rule/taint-effect rule/taint-key rule/taint-value rpsr/driver-format rpsr/driver-required rpsr/limit rpsr/partition-attr rpsr/pool-name rpsr/spec-immutable rpsr/status-conditions rpsr/status-immutable rpsr/status-name rpsr/status-number rpsr/status-partition-duplicate rpsr/status-required rpsr/status-size rpsr/status-validation-error pod/claim-both pod/claim-generated-name pod/claim-name-duplicate pod/claim-name-format pod/claim-name-required pod/claim-none pod/claim-ref pod/claim-template-ref pod/fractional-bytes pod/host-name pod/label-selector-null pod/mirror-node pod/node-label-deprecated pod/preferred-value pod/static pod/update-annotations pod/update-containers pod/update-qos pod/update-spec psc/claim-duplicate psc/nodes-duplicate psc/nodes-format psc/nodes-size psc/unsuitable-duplicate psc/unsuitable-format psc/unsuitable-size meta/annotation-key meta/annotation-size meta/finalizer-conflict meta/finalizer-format meta/finalizer-kube meta/generate-name meta/generation meta/label-key meta/label-value meta/name-format meta/name-required meta/ns-format meta/owner-controller meta/owner-event meta/owner-field meta/update-finalizers meta/update-immutable meta/update-rv tmeta/annotations tmeta/labels tmeta/other status/allocation-immutable status/dealloc-reserved status/dealloc-unallocated status/dealloc-withdrawn status/devices-duplicate status/reserved-deleting status/reserved-duplicate status/reserved-name status/reserved-resource status/reserved-size status/reserved-uid status/reserved-unallocated alloc/config-size alloc/config-source alloc/config-source-required alloc/consumed-key alloc/consumed-negative alloc/consumed-size alloc/controller alloc/device alloc/driver alloc/node-selector alloc/pool alloc/request alloc/results-size alloc/share-id alloc/skip-ops dstat/allocated dstat/conditions dstat/conditions-size dstat/data-object dstat/data-size dstat/device dstat/driver dstat/hw-addr dstat/if-name dstat/ips-duplicate dstat/ips-format dstat/ips-size dstat/pool dstat/share-id pstat/claim-duplicate pstat/claim-ref pstat/claim-unknown pstat/condition-type pstat/ext-claim-format pstat/ext-claim-required pstat/ext-container pstat/ext-duplicate pstat/ext-mappings-required pstat/ext-request pstat/ext-resource pstat/health pstat/health-duplicate pstat/health-ephemeral pstat/health-message pstat/health-name pstat/node-claim pstat/node-duplicate pstat/node-negative pstat/node-overhead-empty pstat/node-required pstat/node-resource oldclaim/available-nodes oldclaim/class oldclaim/handle-both oldclaim/handle-data oldclaim/handle-driver oldclaim/handle-instance oldclaim/handle-model oldclaim/handle-node oldclaim/handles-size oldclaim/mode oldclaim/reserved-shareable oldclaim/status-driver oldclaim/status-driver-required oldclass/driver oldclass/suitable-nodes oldparams/driver oldparams/driver-duplicate oldparams/model oldparams/ref-kind oldparams/ref-name oldparams/ref-namespace oldparams/requests-empty oldparams/selector oldparams/selector-required oldslice/attr-duplicate oldslice/attr-many oldslice/attr-name oldslice/attr-none oldslice/attr-version oldslice/driver oldslice/instance-duplicate oldslice/instance-name oldslice/model oldslice/node oldslice/update-driver oldslice/update-node decode/fatal decode/syntax decode/template decode/no-kind decode/type decode/unknown decode/duplicate version/unserved version/not-served-by-default version/other-group simulate/ignored simulate/skew config/schema document/unnamed document/skipped document/nothing-asked document/count-zero gate/dropped gate/unserved pod/implicit-resource gate/kept admin/unknown-namespace update/new update/unknown update/generation-back update/generation-same update/prototype update/gone update/no-status document/too-many-devices document/node-name upgrade/refused quantity/endless shape/request-flat shape/request-exactly shape/device-flat shape/device-basic shape/indentation shape/case shape/level shape/claim-or-template shape/bare-value shape/wrapped-value shape/list shape/pod-source shape/newer-field shape/former-field across/class-missing across/claim-missing across/other-namespace across/request-missing across/same-name across/claim-twice across/claim-shared across/extended-name-twice across/quota-exceeded across/pool-nodes across/pool-incomplete across/pool-count across/pool-obsolete across/device-duplicate across/slice-node-missing across/counter-missing across/counter-excess across/counter-set-twice across/attribute-twice across/constraint-nothing across/allocation-nowhere across/allocation-mode across/device-node-terms across/capacity-missing across/capacity-excess across/capacity-rounded across/config-nothing across/toleration-nothing across/extended-missing across/taint-rule-nothing across/taint-rule-everything across/claim-unused across/boolean-key selector/fails selector/attribute-unknown selector/nothing selector/driver-unknown selector/too-few selector/never-equal selector/version-text selector/constant selector/near-limit selector/not-evaluated ignore/unused ignore/no-reason ignore/invalid baseline/stale prototype/dia-1 prototype/dia-2 prototype/dia-4 prototype/dia-5 prototype/dia-6 prototype/dia-8 prototype/type prototype/unused prototype/limit prototype/config-map prototype/dp-1 prototype/dp-1-form prototype/dp-2 prototype/dp-3 prototype/dp-4 prototype/dp-5 prototype/dp-6 prototype/dp-7 prototype/dp-8 prototype/dp-9 prototype/dp-10 prototype/dp-11 prototype/dp-12 prototype/dp-13 prototype/dc-1 prototype/dc-2 prototype/dc-3 prototype/dc-4 prototype/dc-5 prototype/dc-6 prototype/dc-7 prototype/dc-8 prototype/dc-9 prototype/cl-1 prototype/cl-2 prototype/cl-2-form prototype/cl-3 prototype/cl-4 prototype/cl-4-none prototype/cl-5 prototype/cl-6 prototype/cl-7 prototype/cl-8 prototype/cl-9 prototype/cl-10 prototype/cl-11 prototype/cl-12 prototype/cl-13 prototype/cl-14 prototype/cl-15 prototype/cl-16 prototype/cl-17 prototype/cl-18 prototype/cl-19 prototype/po-1 prototype/po-2 prototype/po-3 prototype/po-4 prototype/po-5 prototype/po-7 prototype/po-8 prototype/po-9 prototype/pl-1 prototype/pl-2 prototype/pl-4 prototype/pl-5 prototype/pl-6 prototype/pp-1 prototype/pp-2 prototype/pp-3 prototype/pp-4 prototype/pp-5 prototype/pp-7 prototype/gr-2 prototype/gr-3 prototype/gr-4 prototype/gr-7 prototype/ks-1 prototype/ks-2 prototype/ks-3 prototype/ks-4 prototype/ks-4-overlap prototype/ks-6 prototype/ks-5 prototype/de-1 prototype/de-2 prototype/de-3 prototype/de-3-again prototype/de-4 prototype/de-5 prototype/de-6 prototype/de-7 prototype/de-8 prototype/de-9 prototype/de-10 prototype/de-11 prototype/de-12 prototype/de-13 prototype/de-14 prototype/de-15 prototype/de-16 prototype/de-17 prototype/de-18 prototype/de-19 prototype/de-20 prototype/de-21 prototype/de-22 prototype/de-older prototype/de-early prototype/de-30 prototype/de-amount prototype/de-never prototype/de-node prototype/de-content prototype/de-count prototype/de-value prototype/de-controller prototype/de-allocated prototype/nv-1 prototype/nv-2 prototype/nv-3 prototype/nv-4 prototype/nv-5 prototype/nv-6 prototype/nm-1 prototype/nm-2 prototype/nm-3 prototype/nm-4 prototype/nm-5 prototype/nm-6 prototype/kc-2 prototype/kc-1
end

function __dractl_words_3
    printf '%s\n' status
end

function __dractl_words_4
    printf '%s\n' strict warn ignore
end

function __dractl_words_5
    printf '%s\n' text json sarif junit github gitlab markdown
end

function __dractl_words_6
    printf '%s\n' table json yaml html
end

function __dractl_words_7
    printf '%s\n' text json html
end

function __dractl_words_8
    printf '%s\n' claims extended-resource
end

function __dractl_words_9
    printf '%s\n' text json
end

function __dractl_words_10
    printf '%s\n' text json markdown
end

function __dractl_words_11
    printf '%s\n' text json prometheus html
end

function __dractl_words_12
    printf '%s\n' text junit json
end

function __dractl_words_13
    printf '%s\n' new stored both
end

function __dractl_words_14
    printf '%s\n' celpy
end

function __dractl_words_15
    printf '%s\n' v1 v1beta2 v1alpha3 v1beta1 v1alpha2
end

function __dractl_words_16
    printf '%s\n' yaml json
end

function __dractl_words_17
    printf '%s\n' deviceclass devicetaintrule podschedulingcontext resourceclaim resourceclaimparameters resourceclaimtemplate resourceclass resourceclassparameters resourcepoolstatusrequest resourceslice
end

function __dractl_words_18
    printf '%s\n' DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice
end

function __dractl_words_19
    printf '%s\n' DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice scenario test
end

function __dractl_words_20
    printf '%s\n' bash zsh fish
end

complete -c dractl -f
complete -c dractl -n __dractl_no_command -l version -d 'Print the version.'
complete -c dractl -n __dractl_no_command -s h -l help -d 'Show this message and exit.'
complete -c dractl -n __dractl_no_command -a validate -d 'Validate manifests as the API server would'
complete -c dractl -n __dractl_no_command -a simulate -d 'Allocate devices to pods as the scheduler would'
complete -c dractl -n __dractl_no_command -a audit -d 'Check that the allocations in the input are legal'
complete -c dractl -n __dractl_no_command -a why -d 'Explain why a pod is Pending, or why it got its devices'
complete -c dractl -n __dractl_no_command -a upgrade -d 'Plan an upgrade of Kubernetes'
complete -c dractl -n __dractl_no_command -a migrate -d 'Migrate from device plugins and older APIs'
complete -c dractl -n __dractl_no_command -a diff -d 'Compare findings, placements and claims of two inputs'
complete -c dractl -n __dractl_no_command -a advisories -d 'List known faults of Kubernetes releases'
complete -c dractl -n __dractl_no_command -a size -d 'Count how many more copies of a pod fit'
complete -c dractl -n __dractl_no_command -a test -d 'Compare simulations with expectation files'
complete -c dractl -n __dractl_no_command -a cel -d 'Compile a device selector and list the devices it selects'
complete -c dractl -n __dractl_no_command -a possible -d 'List the sets of devices that can be in use at once'
complete -c dractl -n __dractl_no_command -a convert -d 'Convert objects to another API version of resource.k8s.io'
complete -c dractl -n __dractl_no_command -a rule -d 'Explain a rule, with a good and a bad example'
complete -c dractl -n __dractl_no_command -a explain -d 'Explain a field of the API'
complete -c dractl -n __dractl_no_command -a rules -d 'List the rules of the API server and dractl\'s own'
complete -c dractl -n __dractl_no_command -a gates -d 'List the feature gates that affect DRA in a Kubernetes minor'
complete -c dractl -n __dractl_no_command -a mcp -d 'Serve coding agents through the Model Context Protocol'
complete -c dractl -n __dractl_no_command -a lsp -d 'Serve editors through the Language Server Protocol'
complete -c dractl -n __dractl_no_command -a schema -d 'Print the JSON Schema of a kind'
complete -c dractl -n __dractl_no_command -a completion -d 'Print the completion script of a shell'
complete -c dractl -n __dractl_no_command -a snapshot -d 'Write the DRA state of a cluster as YAML'
complete -c dractl -n __dractl_no_command -a replay -d 'Replay a recording of kubectl dra record'
complete -c dractl -n __dractl_no_command -a driver -d 'Check what a DRA driver publishes'
complete -c dractl -n '__dractl_command validate' -F
complete -c dractl -n '__dractl_command validate' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.'
complete -c dractl -n '__dractl_command validate' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates that dractl gates lists; 1.33:A=true does so in one minor of a range.'
complete -c dractl -n '__dractl_command validate' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command validate' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command validate' -l select -x -a '(__dractl_list (__dractl_words_2))' -d 'Only report these rules; globs allowed (request/*).'
complete -c dractl -n '__dractl_command validate' -l ignore -x -a '(__dractl_list (__dractl_words_2))' -d 'Report all rules except these.'
complete -c dractl -n '__dractl_command validate' -l config-schema -x -d 'Validate opaque parameters of this driver and kind with a JSON Schema, as warnings.'
complete -c dractl -n '__dractl_command validate' -l old -r -F -d 'Validate each object as an update of its earlier version in this file or folder.'
complete -c dractl -n '__dractl_command validate' -l since -x -a "(git for-each-ref --format='%(refname:short)' 2>/dev/null)" -d 'Validate each object as an update of its version in this git commit.'
complete -c dractl -n '__dractl_command validate' -l subresource -x -a '(__dractl_words_3)' -d 'Validate the status of each object as a status update; requires --old or --since.'
complete -c dractl -n '__dractl_command validate' -l field-validation -x -a '(__dractl_words_4)' -d 'Reject unknown and duplicate fields, or drop them as the API server does for a client that asks it to warn about them or to ignore them.'
complete -c dractl -n '__dractl_command validate' -l per-file-ignores -x -d 'Ignore these rules in files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command validate' -l baseline -r -F -d 'Do not report the findings that this file lists; report entries that no longer occur.'
complete -c dractl -n '__dractl_command validate' -l write-baseline -d 'Write the findings to the file of --baseline.'
complete -c dractl -n '__dractl_command validate' -l external -x -d 'These objects exist elsewhere; globs allowed (DeviceClass/*.nvidia.com); repeatable.'
complete -c dractl -n '__dractl_command validate' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command validate' -l strict -d 'Fail on warnings too.'
complete -c dractl -n '__dractl_command validate' -l closed-world -d 'With --strict also fail on references to objects that are not in the input.'
complete -c dractl -n '__dractl_command validate' -l allow-empty -d 'Accept files without any document.'
complete -c dractl -n '__dractl_command validate' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command validate' -l lenient -d 'For objects of a prototype API: only warn about the unknown fields of its examples.'
complete -c dractl -n '__dractl_command validate' -l stdin-filename -x -d 'Report findings in standard input under this name.'
complete -c dractl -n '__dractl_command validate' -l fix -d 'Fix in the files what can only mean one thing, and report the rest.'
complete -c dractl -n '__dractl_command validate' -l unsafe-fixes -d 'With --fix or --diff also fix what may change the meaning.'
complete -c dractl -n '__dractl_command validate' -l diff -d 'Print what --fix would change as a patch; change nothing, even with --fix.'
complete -c dractl -n '__dractl_command validate' -l jobs -x -d 'Use so many processes; auto chooses by the size of the input and the CPUs.'
complete -c dractl -n '__dractl_command validate' -l format -x -a '(__dractl_words_5)' -d 'Print text, json, sarif, junit, github, gitlab or markdown, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command validate' -l share -d 'Also print a link that opens the files in the playground; it holds their text, secrets too.'
complete -c dractl -n '__dractl_command validate' -l playground -x -d 'With --share: the address of the playground (default: that of the documentation).'
complete -c dractl -n '__dractl_command validate' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command validate' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command validate' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command validate' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command validate' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command validate' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command simulate' -F
complete -c dractl -n '__dractl_command simulate' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.'
complete -c dractl -n '__dractl_command simulate' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates that dractl gates lists; 1.33:A=true does so in one minor of a range.'
complete -c dractl -n '__dractl_command simulate' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l scheduler-version -x -a '(__dractl_words_0)' -d 'Follow the scheduler of this Kubernetes minor or patch, as in the middle of an upgrade (default: that of --kube-version).'
complete -c dractl -n '__dractl_command simulate' -l scheduler-feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates of the scheduler, in addition to --feature-gates.'
complete -c dractl -n '__dractl_command simulate' -l node-order -x -d 'Prefer these nodes, in this order, if several are equally good; the others follow by name.'
complete -c dractl -n '__dractl_command simulate' -l replicas -x -d 'Override the number of pods of NAME, KIND/NAME or KIND/NAMESPACE/NAME; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l allocate-unreferenced -d 'Also allocate claims that no pod refers to, after the pods; no cluster does that.'
complete -c dractl -n '__dractl_command simulate' -l scenario -r -F -d 'Run the steps of a scenario file and print the state after each.'
complete -c dractl -n '__dractl_command simulate' -l pod -x -d 'Only report this pod (NS: default if unset), although all are simulated; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l native -d 'Also print the scheduler\'s own event for each Pending pod, in the words of the minor.'
complete -c dractl -n '__dractl_command simulate' -l format -x -a '(__dractl_words_6)' -d 'Print table, json, yaml or html, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command simulate' -l save-state -r -F -d 'Also write the objects with their new status to FILE, as --format yaml does.'
complete -c dractl -n '__dractl_command simulate' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command simulate' -l share -d 'Also print a link that opens the files in the playground; it holds their text, secrets too.'
complete -c dractl -n '__dractl_command simulate' -l playground -x -d 'With --share: the address of the playground (default: that of the documentation).'
complete -c dractl -n '__dractl_command simulate' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command simulate' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command simulate' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command simulate' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command simulate' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command simulate' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command audit' -F
complete -c dractl -n '__dractl_command audit' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command audit' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command audit' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command audit' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command audit' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command audit' -l format -x -a '(__dractl_words_7)' -d 'Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command audit' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command audit' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command audit' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command audit' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command audit' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command audit' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command why' -F
complete -c dractl -n '__dractl_command why' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), a patch such as 1.35.4, or a range such as 1.33..1.37.'
complete -c dractl -n '__dractl_command why' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates that dractl gates lists; 1.33:A=true does so in one minor of a range.'
complete -c dractl -n '__dractl_command why' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command why' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command why' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command why' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command why' -l all -d 'Explain everything that is Pending.'
complete -c dractl -n '__dractl_command why' -l node -x -d 'Explain why not this node.'
complete -c dractl -n '__dractl_command why' -l device -x -d 'Explain why not this device: its name, or driver/pool/name.'
complete -c dractl -n '__dractl_command why' -l prove -r -F -d 'Write each way to place the pod to a new file in DIR that dractl simulate can run.'
complete -c dractl -n '__dractl_command why' -l native -d 'Also print the scheduler\'s own event for each Pending pod, in the words of the minor.'
complete -c dractl -n '__dractl_command why' -l format -x -a '(__dractl_words_7)' -d 'Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command why' -l share -d 'Also print a link that opens the files in the playground; it holds their text, secrets too.'
complete -c dractl -n '__dractl_command why' -l playground -x -d 'With --share: the address of the playground (default: that of the documentation).'
complete -c dractl -n '__dractl_command why' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command why' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command why' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command why' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command why' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command why' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command upgrade' -F
complete -c dractl -n '__dractl_command upgrade' -l from -x -a '(__dractl_words_0)' -d 'Upgrade from this Kubernetes minor, or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command upgrade' -l to -x -a '(__dractl_words_0)' -d 'Upgrade to this Kubernetes minor or patch.'
complete -c dractl -n '__dractl_command upgrade' -l from-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Set the feature gates of the cluster; the target keeps those that it has.'
complete -c dractl -n '__dractl_command upgrade' -l to-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates of the target.'
complete -c dractl -n '__dractl_command upgrade' -l write -d 'Rewrite the files with objects in API versions that the target does not serve.'
complete -c dractl -n '__dractl_command upgrade' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command upgrade' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command upgrade' -l format -x -a '(__dractl_words_7)' -d 'Print text, a JSON document, or an HTML page, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command upgrade' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command upgrade' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command upgrade' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command upgrade' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command upgrade' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command upgrade' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command migrate' -F
complete -c dractl -n '__dractl_command migrate' -l to -x -a '(__dractl_words_8)' -d 'Migrate requests to claims in pods, or to extended resources of classes.'
complete -c dractl -n '__dractl_command migrate' -l class -x -d 'Serve this device plugin resource with this DeviceClass; repeatable.'
complete -c dractl -n '__dractl_command migrate' -l diff -d 'Print the changes as a patch.'
complete -c dractl -n '__dractl_command migrate' -l write -d 'Rewrite the files, unless the result is rejected.'
complete -c dractl -n '__dractl_command migrate' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command migrate' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command migrate' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command migrate' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command migrate' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command migrate' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command migrate' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command migrate' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command migrate' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command migrate' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command migrate' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command diff' -l since -x -a "(git for-each-ref --format='%(refname:short)' 2>/dev/null)" -d 'Compare the paths with this git commit, as REF -- PATH does.'
complete -c dractl -n '__dractl_command diff' -l with -r -F -d 'Add these objects to both sides, except those that a side has itself; repeatable.'
complete -c dractl -n '__dractl_command diff' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command diff' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command diff' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command diff' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command diff' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command diff' -l format -x -a '(__dractl_words_10)' -d 'Print text, a JSON document, or Markdown for a comment on a pull request, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command diff' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command diff' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command diff' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command diff' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command diff' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command diff' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command advisories' -F
complete -c dractl -n '__dractl_command advisories' -l kube-version -x -a '(__dractl_words_0)' -d 'Only list faults of this Kubernetes minor, or patch such as 1.35.4.'
complete -c dractl -n '__dractl_command advisories' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command advisories' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command advisories' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command advisories' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command advisories' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command advisories' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command advisories' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command advisories' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command advisories' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command size' -F
complete -c dractl -n '__dractl_command size' -l pod -x -d 'Copy this pod, or a pod of this workload; repeatable for a mix, with N copies in a set.'
complete -c dractl -n '__dractl_command size' -l like -x -d 'Count the nodes like this one that the pending pods need; repeatable.'
complete -c dractl -n '__dractl_command size' -l price -x -d 'Set the price of a node of --like, to list the cheapest first; repeatable.'
complete -c dractl -n '__dractl_command size' -l from-zero -d 'Use the nodes of --like as templates only: the cluster does not have them yet.'
complete -c dractl -n '__dractl_command size' -l replicas -x -d 'Override the number of pods of NAME, KIND/NAME or KIND/NAMESPACE/NAME; repeatable.'
complete -c dractl -n '__dractl_command size' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command size' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command size' -l namespace-labels -x -d 'Set the labels of a namespace, for admin access; repeatable.'
complete -c dractl -n '__dractl_command size' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command size' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command size' -l format -x -a '(__dractl_words_11)' -d 'Print text, json, prometheus or html, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command size' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command size' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command size' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command size' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command size' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command size' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command test' -F
complete -c dractl -n '__dractl_command test' -l update -d 'Update the expectation files with the actual results.'
complete -c dractl -n '__dractl_command test' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor instead of those in the files: a minor, a patch such as 1.35.4, or a range such as 1.33..1.37.'
complete -c dractl -n '__dractl_command test' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override the feature gates of the files.'
complete -c dractl -n '__dractl_command test' -l format -x -a '(__dractl_words_12)' -d 'Print text, JUnit XML, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command test' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command test' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command test' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command test' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command test' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command test' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command cel' -F
complete -c dractl -n '__dractl_command cel' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command cel' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command cel' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command cel' -l env -x -a '(__dractl_words_13)' -d 'Compile as the API server for new objects, as the scheduler for stored ones, or both.'
complete -c dractl -n '__dractl_command cel' -l explain -d 'Also print the cost for each device and the value of each sub-expression.'
complete -c dractl -n '__dractl_command cel' -l compare -x -a '(__dractl_words_14)' -d 'Also print the result of cel-python, which lacks the Kubernetes libraries; requires pip install \'dractl[celpy]\'.'
complete -c dractl -n '__dractl_command cel' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command cel' -l world -r -F -d 'Files or folders with objects of the cluster, such as slices and classes; their own findings are not reported; repeatable.'
complete -c dractl -n '__dractl_command cel' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command cel' -l share -d 'Also print a link that opens the files in the playground; it holds their text, secrets too.'
complete -c dractl -n '__dractl_command cel' -l playground -x -d 'With --share: the address of the playground (default: that of the documentation).'
complete -c dractl -n '__dractl_command cel' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command cel' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command cel' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command cel' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command cel' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command cel' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command possible' -F
complete -c dractl -n '__dractl_command possible' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command possible' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Override feature gates; only those that dractl gates lists are accepted.'
complete -c dractl -n '__dractl_command possible' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command possible' -l driver -x -d 'Only pools of this driver.'
complete -c dractl -n '__dractl_command possible' -l pool -x -d 'Only the pool of this name.'
complete -c dractl -n '__dractl_command possible' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command possible' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command possible' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command possible' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command possible' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command possible' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command possible' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command possible' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command convert' -F
complete -c dractl -n '__dractl_command convert' -l to -x -a '(__dractl_words_15)' -d 'Convert to this API version, such as resource.k8s.io/v1 or just v1.'
complete -c dractl -n '__dractl_command convert' -l kube-version -x -a '(__dractl_words_0)' -d 'Use the fields of this Kubernetes minor (default: the newest that has the version).'
complete -c dractl -n '__dractl_command convert' -l lossy -d 'Drop what the target version cannot represent, with a warning for each.'
complete -c dractl -n '__dractl_command convert' -s i -l in-place -d 'Rewrite the files, unless something would be lost.'
complete -c dractl -n '__dractl_command convert' -l diff -d 'Print the changes as a patch.'
complete -c dractl -n '__dractl_command convert' -l dialect -x -d 'For objects of a prototype API: read them in this dialect if several fit.'
complete -c dractl -n '__dractl_command convert' -l exclude -x -d 'Ignore files whose path or name matches; repeatable.'
complete -c dractl -n '__dractl_command convert' -l format -x -a '(__dractl_words_16)' -d 'Print the converted files, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command convert' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command convert' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command convert' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command convert' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command convert' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command convert' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command rule' -a '(__dractl_words_2)'
complete -c dractl -n '__dractl_command rule' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command rule' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command rule' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command explain' -a '(__dractl_words_17)'
complete -c dractl -n '__dractl_command explain' -l recursive -d 'List its fields at all levels.'
complete -c dractl -n '__dractl_command explain' -l api-version -x -a '(__dractl_words_15)' -d 'Explain this version of the API, such as v1beta1, instead of the newest.'
complete -c dractl -n '__dractl_command explain' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command explain' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command explain' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command explain' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command explain' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command explain' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command explain' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command rules' -l kind -x -a '(__dractl_words_18)' -d 'Only list rules for this kind.'
complete -c dractl -n '__dractl_command rules' -l kube-version -x -a '(__dractl_words_0)' -d 'Only list rules of this Kubernetes minor.'
complete -c dractl -n '__dractl_command rules' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command rules' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command rules' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command gates' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command gates' -l feature-gates -x -a '(__dractl_list (__dractl_words_1))' -d 'Also print which gates are on with these overrides.'
complete -c dractl -n '__dractl_command gates' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command gates' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command gates' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command gates' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command gates' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command gates' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command mcp' -l root -r -F -d 'Read files in this folder only (by default the working folder).'
complete -c dractl -n '__dractl_command mcp' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command lsp' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command schema' -a '(__dractl_words_19)'
complete -c dractl -n '__dractl_command schema' -l api-version -x -a '(__dractl_words_15)' -d 'Print the schema of this API version, such as v1beta1 (default: the newest).'
complete -c dractl -n '__dractl_command schema' -l kube-version -x -a '(__dractl_words_0)' -d 'Follow this Kubernetes minor, 1.30 to 1.38 (beta), or a patch such as 1.35.4.'
complete -c dractl -n '__dractl_command schema' -l dialect -x -d 'Print the schema of this dialect of a prototype API.'
complete -c dractl -n '__dractl_command schema' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command schema' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command schema' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command schema' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command schema' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command completion' -a '(__dractl_words_20)'
complete -c dractl -n '__dractl_command completion' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command completion' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command snapshot' -l output -x -d 'Write to FILE, or a file for each kind into DIR, instead of to standard output (-).'
complete -c dractl -n '__dractl_command snapshot' -l hash-names -d 'Replace the names of nodes, namespaces, pods, claims, pools and devices.'
complete -c dractl -n '__dractl_command snapshot' -l hash-key -x -d 'With the same key a name is hashed in the same way again (default: a random key).'
complete -c dractl -n '__dractl_command snapshot' -s n -l namespace -x -d 'Look in this namespace instead of that of the context.'
complete -c dractl -n '__dractl_command snapshot' -l context -x -d 'Use this context, as kubectl does.'
complete -c dractl -n '__dractl_command snapshot' -l kubeconfig -r -F -d 'Use this configuration, as kubectl does.'
complete -c dractl -n '__dractl_command snapshot' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command snapshot' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command replay' -F
complete -c dractl -n '__dractl_command replay' -l at -x -d 'Print the state at TIME as YAML, as in 2026-05-01T12:00:00Z, or +90 for seconds.'
complete -c dractl -n '__dractl_command replay' -l pod -x -d 'Only report this pod (NS: default if unset).'
complete -c dractl -n '__dractl_command replay' -l compare -d 'Simulate each placement, and print the share that agrees.'
complete -c dractl -n '__dractl_command replay' -l format -x -a '(__dractl_words_9)' -d 'Print text, or a JSON document, or write it to FILE; repeatable.'
complete -c dractl -n '__dractl_command replay' -l output -r -F -d 'Write the result to FILE instead of standard output (-).'
complete -c dractl -n '__dractl_command replay' -s q -l quiet -d 'Print only what causes a non-zero exit code.'
complete -c dractl -n '__dractl_command replay' -l config -r -F -d 'Read the configuration from FILE instead of searching for it.'
complete -c dractl -n '__dractl_command replay' -l isolated -d 'Ignore configuration files and environment variables.'
complete -c dractl -n '__dractl_command replay' -l show-config -d 'Print the effective configuration, and where it is from.'
complete -c dractl -n '__dractl_command replay' -s h -l help -d 'Show this message and exit.'
complete -c dractl -n '__dractl_command driver' -s h -l help -d 'Show this message and exit.'
